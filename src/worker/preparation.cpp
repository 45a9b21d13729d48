#include "base/clock.hpp"
#include "base/error.hpp"
#include "device/cpu.hpp"
#include "device/cuda_driver.hpp"
#include "device/device.hpp"
#include "device/kinds.hpp"
#include "measure/step.hpp"
#include "nn/network.hpp"
#include "nn/quantization.hpp"
#include "schema/launch.hpp"
#include "schema/rank.hpp"
#include "schema/weights_check.hpp"
#include "step/engine.hpp"
#include "step/evidence.hpp"
#include "step/first_step_check.hpp"
#include "step/generation.hpp"
#include "step/precision.hpp"
#include "step/train_step.hpp"
#include "worker/batches.hpp"
#include "worker/comparisons.hpp"
#include "worker/prepared_launch.hpp"
#include "worker/steps.hpp"

#include <ATen/ATen.h>

#include <cstdlib>
#include <map>
#include <utility>

namespace mpsbench::worker {

namespace {

std::unique_ptr<nn::Package> open_package(const schema::PackageFile& file) {
  return std::make_unique<nn::Package>(file.path, file.sha256, file.folder);
}

// Keeps in LAUNCH what the network does without of a file of weights.
void note_weights(const schema::LaunchRequest& request, schema::Launch& launch) {
  if (!request.weights || schema::runs_model_file(request.network_plan)) return;
  const std::string remark = schema::remark_on(
      schema::match_weights(base::read_safetensors_header(*request.weights), request.network_plan, *request.weights));
  if (!remark.empty()) launch.sensor_notes["weights"] = remark;
}

// Throws UntrustedLaunch if a parameter from the user's file has values that are not finite.
void require_finite_weights(const schema::LaunchRequest& request, const nn::Parameters& parameters) {
  if (!request.weights) return;
  const std::string name = step::infinite_parameter(parameters);
  if (!name.empty())
    throw UntrustedLaunch{{schema::kWrongOutput, "the weights '" + name + "' have values that are not finite", ""}};
}

// Proves, on asynchronous devices, that a synchronise waits.
void require_synchronise(PreparedLaunch& prepared, schema::Launch& launch) {
  if (!prepared.device.asynchronous()) return;
  device::MatmulOperation operation(prepared.device);
  launch.self_test = measure::test_synchronise(operation, prepared.timer);
  if (launch.self_test->passed) return;
  throw UntrustedLaunch{{"self_test", measure::kSelfTestFailure, ""}};
}

device::Device open_device(const schema::LaunchRequest& request, Events& events, schema::Launch& launch) {
  const schema::CaseSpec& spec = request.spec;
  if (const auto id = device::pci_bus_id(spec.device)) events.send(schema::GpuEvent{*id});
  device::require_precision(spec.device.kind, spec.precision);
  if (spec.device.kind == schema::DeviceKind::cuda) step::require_own_precision();
  // The search for the fastest convolutions finds different ones from run to run. A dumped first step is
  // meant to be compared, so it does without the search.
  step::set_backend(spec.precision, !request.dump_first_step);
  device::Device device = device::Device::open(spec.device);
  if (!device.asynchronous()) launch.working_threads = device::count_working_threads();
  device.limit_memory();
  return device;
}

// With weights as the precision stores them. The device never holds them in fp32.
std::unique_ptr<nn::Model> make_stored_model(PreparedLaunch& prepared) {
  const schema::LaunchRequest& request = *prepared.request;
  nn::Parameters weights = nn::make_parameters(request, at::kCPU);
  require_finite_weights(request, weights);
  weights.to_type(step::stored_type(request.spec.precision));
  if (row_of(request.spec.precision).weight_bits > 0 && request.check_output) prepared.unquantized = weights;
  weights.quantize(request.network_plan, prepared.device.torch());
  return std::make_unique<nn::Network>(request.network_plan, std::move(weights), /*training=*/false);
}

void make_model(PreparedLaunch& prepared, schema::Launch& launch) {
  const schema::LaunchRequest& request = *prepared.request;
  const bool trains = row_of(request.spec.mode).trains;
  const bool is_stored = row_of(request.spec.precision).is_stored;
  const bool is_file = schema::runs_model_file(request.network_plan);
  prepared.model =
      is_stored && !is_file ? make_stored_model(prepared) : nn::make_model(request, prepared.device.torch());
  if (trains && prepared.model->parameters().trainable().empty())
    throw base::usage_error(
        "the network has no parameters that train: torch.jit.freeze and optimize_for_inference turn them into "
        "constants, and requires_grad_(False) excludes them; save it without these, or use --mode infer");
  note_weights(request, launch);
  if (!trains) require_finite_weights(request, prepared.model->parameters());
  if (is_stored && is_file) prepared.model->parameters().to_type(step::stored_type(request.spec.precision));
  if (request.spec.channels_last) prepared.model->parameters().to_channels_last();
  if (prepared.group != nullptr) {
    for (const nn::NamedTensor& named : prepared.model->parameters().all())
      prepared.group->copy_from_first(named.tensor);
  }
  if (!row_of(request.spec.engine).packaged) return;
  if (!request.package) throw base::usage_error("the request names no package for this engine");
  launch.compile_seconds = request.package->compile_seconds;
  prepared.package = open_package(*request.package);
  if (request.check_package) prepared.check_package = open_package(*request.check_package);
}

void make_batch(PreparedLaunch& prepared, schema::Launch& launch) {
  const schema::LaunchRequest& request = *prepared.request;
  const bool trains = row_of(request.spec.mode).trains;
  prepared.batch = resident_batch(request, prepared.device, launch);
  if (row_of(request.spec.precision).is_stored)
    prepared.batch = data::in_type(prepared.batch, step::stored_type(request.spec.precision));
  step::require_on_device(request.network_plan, prepared.batch, prepared.model->parameters(), prepared.device.torch());
  if (trains || schema::is_published_inference(request.spec)) prepared.model->parameters().require_gradients();
  if (trains) {
    const schema::Dataset dataset = request.spec.dataset;
    step::require_classes(request.network_plan, *prepared.model, prepared.batch,
                          dataset == schema::Dataset::synthetic ? 0 : row_of(dataset).classes);
  }
}

// The settings in effect.
std::map<std::string, std::string> backend_of(const PreparedLaunch& prepared) {
  const schema::Precision precision = prepared.request->spec.precision;
  std::map<std::string, std::string> backend = step::read_backend(precision, prepared.device.torch().type());
  if (row_of(precision).weight_bits > 0) backend["weights"] = nn::quantized_text(prepared.request->network_plan);
  return backend;
}

void make_sequences(PreparedLaunch& prepared, schema::Launch& launch) {
  const schema::LaunchRequest& request = *prepared.request;
  launch.backend = backend_of(prepared);
  prepared.generation = make_generation(prepared, request.spec.engine);
  if (request.dump_first_step) prepared.generation->write_answer(*request.dump_first_step);
  require_synchronise(prepared, launch);
}

void make_step(PreparedLaunch& prepared, schema::Launch& launch) {
  const schema::LaunchRequest& request = *prepared.request;
  const schema::CaseSpec& spec = request.spec;
  if (row_of(spec.mode).generates) return make_sequences(prepared, launch);
  const bool trains = row_of(spec.mode).trains;
  at::manual_seed(static_cast<std::uint64_t>(spec.seed + rank_of(request)));  // for dropout
  if (request.dump_first_step || !trains)
    prepared.evidence.emplace(request.network_plan,
                              request.dump_first_step ? step::Evidence::Keeps::all : step::Evidence::Keeps::output);
  launch.backend = backend_of(prepared);
  const auto settings = train_settings(spec, prepared.device);
  if (settings && settings->overflow_check == step::OverflowCheck::host) launch.backend["overflow_check"] = "host";
  step::Evidence* evidence = prepared.evidence ? &*prepared.evidence : nullptr;
  if (prepared.group != nullptr && trains)
    prepared.averaged = std::make_unique<AveragedGradients>(
        *prepared.group, prepared.model->parameters().trainable(),
        collective::BucketOptions{.bucket_bytes = spec.bucket_bytes, .in_place = row_of(spec.engine).captured});
  const auto make = [&prepared, &spec](step::Evidence* of, step::GradientHook* hook) {
    return step::make_engine_step(
        spec.engine, make_plain_step(prepared, prepared.package.get(), *prepared.model, of, hook), prepared.device);
  };
  prepared.step = make(evidence, prepared.averaged.get());
  prepared.make_step_alone = [make] { return make(nullptr, nullptr); };
  require_synchronise(prepared, launch);  // on the stream that the steps will use
  if (!is_fed(request)) return;
  prepared.feed = std::make_unique<step::Feed>(
      prepared.batch, fed_batches(request, prepared.batch, prepared.device, launch), prepared.device);
}

}  // namespace

std::unique_ptr<PreparedLaunch> prepare(const schema::LaunchRequest& request, Events& events, schema::Launch& launch) {
  double last = base::steady_seconds();
  const auto lap = [&last] {  // returns the seconds since the last call
    const double now = base::steady_seconds();
    return now - std::exchange(last, now);
  };
  schema::SetupSeconds setup;  // the front measures load
  events.on_phase(schema::Phase::device);
  auto prepared = std::make_unique<PreparedLaunch>(request, open_device(request, events, launch));
  if (request.group) {
    // This process ends if a neighbour is lost: it may wait for the others on a GPU, where nothing interrupts it.
    const auto end = [&events](const std::string& reason) {
      events.send(schema::FailureEvent{schema::Status::failed, {schema::kLostRank, reason, ""}});
      std::_Exit(0);
    };
    prepared->group =
        collective::meet(*request.group, prepared->device.torch(), device::gpu_uuid(request.spec.device), end);
  }
  setup.device = lap();
  events.on_phase(schema::Phase::model);
  make_model(*prepared, launch);
  setup.model = lap();
  events.on_phase(schema::Phase::data);
  make_batch(*prepared, launch);
  setup.data = lap();
  compare_first(*prepared, launch);
  (void)lap();  // comparing is not set-up
  make_step(*prepared, launch);
  setup.data += lap();
  launch.setup_seconds = setup;
  return prepared;
}

}  // namespace mpsbench::worker
