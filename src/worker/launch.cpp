#include "worker/launch.hpp"

#include "base/error.hpp"
#include "data/synthetic.hpp"
#include "device/cpu_fallback.hpp"
#include "device/device.hpp"
#include "device/matmul_operation.hpp"
#include "device/memory.hpp"
#include "device/out_of_memory.hpp"
#include "device/unsupported.hpp"
#include "measure/live_memory.hpp"
#include "measure/measure_launch.hpp"
#include "measure/self_test.hpp"
#include "nn/network.hpp"
#include "nn/parameters.hpp"
#include "step/attention_watch.hpp"
#include "step/evaluate.hpp"
#include "step/graph_step.hpp"
#include "step/infer_step.hpp"
#include "step/output_check.hpp"
#include "step/placement.hpp"
#include "step/precision.hpp"
#include "step/train_step.hpp"
#include "worker/batches.hpp"
#include "worker/data_launch.hpp"
#include "worker/device_timer.hpp"
#include "worker/lap.hpp"

#include <ATen/ATen.h>
#include <c10/util/Exception.h>

#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>

namespace mpsbench::worker {
namespace {

nn::Parameters make_parameters(const schema::LaunchRequest& request, const device::Device& device) {
  nn::Parameters parameters = request.weights
                                  ? nn::Parameters::load(request.plan, *request.weights, device.torch())
                                  : nn::Parameters::draw(request.plan, request.spec.seed, device.torch());
  if (request.spec.channels_last) parameters.to_channels_last();
  return parameters;
}

data::Batch make_batch(const schema::LaunchRequest& request, const device::Device& device) {
  data::Batch batch = request.data_folder && !is_fed(request)
                          ? first_batch(request, device)
                          : data::make_synthetic_batch(request.plan, request.spec.seed, device.torch());
  if (!request.spec.channels_last) return batch;
  for (at::Tensor& input : batch.inputs) {
    if (input.dim() == 4) input = input.contiguous(at::MemoryFormat::ChannelsLast);
  }
  return batch;
}

std::unique_ptr<measure::Step> make_step(const schema::LaunchRequest& request, const device::Device& device,
                                         nn::Network& network, const nn::Parameters& parameters,
                                         const data::Batch& batch, step::Evidence* evidence,
                                         schema::Launch& launch) {
  const step::Precision precision = step::parse_precision(request.spec.precision);
  if (request.spec.mode == schema::Mode::infer) {
    const auto gradients =
        schema::is_notebooks_forward(request.spec) ? step::Gradients::recorded : step::Gradients::none;
    return std::make_unique<step::InferStep>(network, parameters, batch, precision, gradients, evidence);
  }
  const bool by_host = precision == step::Precision::fp16 && !device.capabilities().overflow_skips;
  if (by_host) launch.backend["overflow_check"] = "host";
  return std::make_unique<step::TrainStep>(
      network, parameters, batch, precision, step::find_loss(request.spec.loss), request.spec.optimizer,
      by_host ? step::OverflowCheck::host : step::OverflowCheck::device, evidence);
}

std::unique_ptr<measure::Step> make_engine_step(const schema::LaunchRequest& request,
                                                const device::Device& device,
                                                std::unique_ptr<measure::Step> eager) {
  if (request.spec.engine == "eager") return eager;
  if (!device.capabilities().graphs) {
    throw base::Error(base::ErrorKind::no_device, "--engine graph: " + request.spec.device +
                                                      " has no graphs to replay; use --engine eager");
  }
  return step::make_graph_step(std::move(eager), device.torch());
}

// A launch that cannot be trusted; what it found so far is kept.
struct Distrust : std::exception {
  explicit Distrust(schema::Failure why) : failure(std::move(why)) {}
  schema::Failure failure;
};

// Proof that the clock's synchronise waits, on devices that need one.
void require_synchronise(const device::Device& device, measure::Timer& timer, schema::Launch& launch) {
  if (!device.asynchronous()) return;
  device::MatmulOperation operation(device);
  launch.self_test = measure::test_synchronise(operation, timer);
  if (launch.self_test->passed) return;
  throw Distrust{{"self_test", measure::kSelfTestFailure, ""}};
}

void require_right_output(const schema::LaunchRequest& request, const nn::Parameters& parameters,
                          const data::Batch& batch) {
  if (!request.check_output) return;
  const std::string wrong =
      step::check_output(request.plan, parameters, batch, step::parse_precision(request.spec.precision));
  device::reset_peak_resident();  // the CPU's copy of the network is no part of the case
  if (!wrong.empty()) throw Distrust{{schema::kWrongOutput, wrong, ""}};
}

// Passes on what the launch does and writes the evidence of its first step, before anything can go wrong.
class LaunchObserver final : public measure::Observer {
 public:
  LaunchObserver(Channel& channel, std::optional<step::Evidence>& evidence,
                 const schema::LaunchRequest& request, const device::Device& device,
                 const nn::Parameters& parameters, schema::Launch& launch)
      : channel_(&channel),
        evidence_(&evidence),
        request_(&request),
        device_(&device),
        parameters_(&parameters),
        launch_(&launch),
        live_memory_([&device] { return device.live_bytes(); }, launch.live_bytes) {
    if (schema::times_all(request.spec.loop))
      return;  // watching costs the steps time, and theirs is all in the clock
    attention_.emplace();
    if (request.spec.device == "mps") fallback_.emplace();
  }

  void on_phase(const std::string& phase) override { channel_->on_phase(phase); }
  void on_progress(const schema::ProgressEvent& progress) override { channel_->on_progress(progress); }
  void on_window(std::int64_t steps) override { live_memory_.after_window(steps); }
  void on_first_step() override {
    if (const std::string attention = attention_.value().backend(); !attention.empty())
      launch_->backend["attention"] = attention;
    attention_.reset();
    if (fallback_) {
      launch_->sensors.push_back(schema::sensor_record(schema::sensor::kMpsCpuFallbackOperators,
                                                       static_cast<double>(fallback_->operators())));
      fallback_.reset();
    }
    if (!*evidence_) return;
    (*evidence_)->write(request_->dump_first_step.value());
    evidence_->reset();
  }
  [[nodiscard]] bool wants_losses() const override { return request_->report_losses; }
  void on_loss(const schema::LossEvent& loss) override { channel_->on_loss(loss); }
  // What the epochs taught the network so far.
  void on_epoch(std::int64_t epoch, bool is_last) override {
    const schema::CaseSpec& spec = request_->spec;
    if (!request_->data_folder || spec.mode != schema::Mode::train || spec.max_batches) return;
    on_phase("evaluate");
    for (const data::Part part : {data::Part::train, data::Part::validation, data::Part::test}) {
      if (part == data::Part::test && !is_last) continue;
      const auto options = data_options(*request_, part, device_->capabilities().copy_streams);
      launch_->evaluations.push_back(
          step::evaluate(request_->plan, *parameters_, options, part, step::parse_precision(spec.precision)));
      launch_->evaluations.back().epoch = epoch;
    }
  }

 private:
  Channel* channel_;
  std::optional<step::Evidence>* evidence_;
  const schema::LaunchRequest* request_;
  const device::Device* device_;
  const nn::Parameters* parameters_;
  schema::Launch* launch_;
  measure::LiveMemoryLog live_memory_;
  std::optional<step::AttentionWatch> attention_;     // until the first step is done
  std::optional<device::CpuFallbackWatch> fallback_;  // likewise
};

void measure_case(const schema::LaunchRequest& request, Channel& channel, schema::Launch& launch) {
  schema::SetupSeconds setup;  // load is timed by the front
  Lap lap;
  channel.on_phase("device");
  if (const auto id = device::pci_bus_id(request.spec.device)) channel.send(schema::GpuEvent{*id});
  const step::Precision precision = step::parse_precision(request.spec.precision);
  if (request.spec.device.starts_with("cuda")) step::require_own_precision();
  // Which convolution the search finds differs from run to run, and a step that is written down is there to
  // be compared.
  step::set_backend(precision, !request.dump_first_step);
  const device::Device device = device::Device::open(request.spec.device);
  device.limit_memory();
  DeviceTimer timer(device);
  setup.device = lap();

  channel.on_phase("model");
  nn::Parameters parameters = make_parameters(request, device);
  nn::Network network(request.plan, parameters, request.spec.mode == schema::Mode::train);
  setup.model = lap();

  channel.on_phase("data");
  data::Batch batch = make_batch(request, device);
  require_right_output(request, parameters, batch);
  const bool trains = request.spec.mode == schema::Mode::train;
  if (trains) step::require_classes(request.plan, parameters, batch);
  if (trains || schema::is_notebooks_forward(request.spec)) parameters.require_gradients();
  step::require_on_device(request.plan, batch, parameters, device.torch());
  at::manual_seed(static_cast<std::uint64_t>(request.spec.seed));  // dropout
  std::optional<step::Evidence> evidence;
  if (request.dump_first_step) evidence.emplace(request.plan);
  launch.backend = step::read_backend(precision, device.torch().type());
  const auto resident = make_engine_step(
      request, device,
      make_step(request, device, network, parameters, batch, evidence ? &*evidence : nullptr, launch));
  require_synchronise(device, timer, launch);  // on the stream that the steps will use
  std::optional<FedBatches> fed;
  if (is_fed(request)) fed.emplace(request, batch, *resident, device);
  setup.data = lap();
  launch.setup_seconds = setup;

  device.reset_peak_memory();
  LaunchObserver observer(channel, evidence, request, device, parameters, launch);
  const bool latency = request.spec.mode == schema::Mode::infer;
  measure::measure_launch(fed ? fed->step() : *resident, timer, observer, request.measure,
                          measure::work_plan(request.spec), latency, launch, fed ? &fed->parts() : nullptr);
  launch.peak_resident_bytes = device::peak_resident_bytes();
  if (const auto peak = device.peak_memory()) {
    launch.peak_device_bytes = peak->allocated_bytes;
    launch.peak_reserved_bytes = peak->reserved_bytes;
  }
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

schema::Event failed(schema::Launch launch, schema::Status status, const std::string& kind,
                     const std::string& message, const std::string& detail) {
  launch.status = status;
  launch.failure = schema::Failure{kind, message, detail};
  return schema::ResultEvent{std::move(launch)};
}

}  // namespace

schema::Event run_launch(const schema::LaunchRequest& request, Channel& channel) {
  using schema::Status;
  schema::Launch launch;  // with all that was measured, whatever ends it
  try {
    if (request.spec.mode == schema::Mode::data) {
      measure_data(request, channel, launch);
    } else {
      measure_case(request, channel, launch);
    }
    return schema::ResultEvent{std::move(launch)};
  } catch (const Distrust& distrust) {
    return failed(launch, Status::failed, distrust.failure.kind, distrust.failure.message, "");
  } catch (const c10::Error& error) {
    const std::string text = error.what_without_backtrace();
    if (device::says_out_of_memory(text))
      return failed(launch, Status::oom, "oom", device::out_of_memory_message(text), text);
    if (const std::string reason = device::why_unsupported(text); !reason.empty())
      return failed(launch, Status::unsupported, "device", reason, text);
    return failed(launch, Status::failed, "exception", first_line(text), text);
  } catch (const std::bad_alloc&) {
    return failed(launch, Status::oom, "oom", "the host's memory is used up", "");
  } catch (const base::Error& error) {
    const bool no_device = error.kind() == base::ErrorKind::no_device;
    return failed(launch, no_device ? Status::unsupported : Status::failed, no_device ? "device" : "input",
                  first_line(error.what()), error.what());
  } catch (const std::exception& error) {
    return failed(launch, Status::failed, "exception", first_line(error.what()), error.what());
  }
}

}  // namespace mpsbench::worker
