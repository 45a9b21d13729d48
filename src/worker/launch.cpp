#include "worker/launch.hpp"

#include "base/clock.hpp"
#include "base/error.hpp"
#include "data/synthetic.hpp"
#include "device/device.hpp"
#include "device/memory.hpp"
#include "measure/measure_launch.hpp"
#include "nn/network.hpp"
#include "nn/parameters.hpp"
#include "step/infer_step.hpp"
#include "step/train_step.hpp"
#include "worker/device_timer.hpp"

#include <ATen/ATen.h>
#include <c10/util/Exception.h>

#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>

namespace mpsbench::worker {
namespace {

// Seconds since the last call, for the phases of set-up.
class Lap {
 public:
  double operator()() {
    const double now = base::steady_seconds();
    return now - std::exchange(last_, now);
  }

 private:
  double last_ = base::steady_seconds();
};

nn::Parameters make_parameters(const schema::LaunchRequest& request, const device::Device& device) {
  nn::Parameters parameters = request.weights
                                  ? nn::Parameters::load(request.plan, *request.weights, device.torch())
                                  : nn::Parameters::draw(request.plan, request.spec.seed, device.torch());
  if (request.spec.channels_last) parameters.to_channels_last();
  if (request.spec.mode == schema::Mode::train) parameters.require_gradients();
  return parameters;
}

data::Batch make_batch(const schema::LaunchRequest& request, const device::Device& device) {
  data::Batch batch = data::make_synthetic_batch(request.plan, request.spec.seed, device.torch());
  if (!request.spec.channels_last) return batch;
  for (at::Tensor& input : batch.inputs) {
    if (input.dim() == 4) input = input.contiguous(at::MemoryFormat::ChannelsLast);
  }
  return batch;
}

std::unique_ptr<measure::Step> make_step(const schema::LaunchRequest& request, nn::Network& network,
                                         const nn::Parameters& parameters, const data::Batch& batch,
                                         step::Evidence* evidence) {
  const step::Precision precision = step::parse_precision(request.spec.precision);
  if (request.spec.mode == schema::Mode::infer) {
    return std::make_unique<step::InferStep>(network, parameters, batch, precision, evidence);
  }
  return std::make_unique<step::TrainStep>(network, parameters, batch, precision,
                                           step::find_loss(request.spec.loss), request.spec.optimizer,
                                           evidence);
}

schema::Launch measure_case(const schema::LaunchRequest& request, Channel& channel) {
  schema::Launch launch;
  schema::SetupSeconds setup;  // load is timed by the front
  Lap lap;
  channel.on_phase("device");
  const device::Device device = device::Device::open(request.spec.device);
  setup.device = lap();

  channel.on_phase("model");
  const nn::Parameters parameters = make_parameters(request, device);
  nn::Network network(request.plan, parameters, request.spec.mode == schema::Mode::train);
  setup.model = lap();

  channel.on_phase("data");
  const data::Batch batch = make_batch(request, device);
  at::manual_seed(static_cast<std::uint64_t>(request.spec.seed));  // dropout
  std::optional<step::Evidence> evidence;
  if (request.dump_first_step) evidence.emplace(request.plan, batch);
  const auto step = make_step(request, network, parameters, batch, evidence ? &*evidence : nullptr);
  setup.data = lap();
  launch.setup_seconds = setup;

  DeviceTimer timer(device);
  const bool latency = request.spec.mode == schema::Mode::infer;
  measure::measure_launch(*step, timer, channel, request.measure, measure::work_plan(request.spec), latency,
                          launch);
  launch.peak_resident_bytes = device::peak_resident_bytes();
  if (evidence) evidence->write(request.dump_first_step.value());
  return launch;
}

bool says_out_of_memory(const std::string& text) {
  return text.find("can't allocate memory") != std::string::npos ||
         text.find("out of memory") != std::string::npos;
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

schema::FailureEvent failure(schema::Status status, const std::string& kind, const std::string& text) {
  return {status, {kind, first_line(text), text}};
}

}  // namespace

schema::Event run_launch(const schema::LaunchRequest& request, Channel& channel) {
  try {
    return schema::ResultEvent{measure_case(request, channel)};
  } catch (const c10::Error& error) {
    const std::string text = error.what_without_backtrace();
    if (says_out_of_memory(text)) return failure(schema::Status::oom, "oom", text);
    return failure(schema::Status::failed, "exception", text);
  } catch (const std::bad_alloc&) {
    return failure(schema::Status::oom, "oom", "the host's memory is used up");
  } catch (const base::Error& error) {
    const bool no_device = error.kind() == base::ErrorKind::no_device;
    return failure(no_device ? schema::Status::unsupported : schema::Status::failed,
                   no_device ? "device" : "input", error.what());
  } catch (const std::exception& error) {
    return failure(schema::Status::failed, "exception", error.what());
  }
}

}  // namespace mpsbench::worker
