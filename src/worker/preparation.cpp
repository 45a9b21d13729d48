#include "worker/preparation.hpp"

#include "device/matmul_operation.hpp"
#include "device/memory.hpp"
#include "device/precisions.hpp"
#include "measure/self_test.hpp"
#include "nn/make_model.hpp"
#include "step/engine.hpp"
#include "step/infer_step.hpp"
#include "step/output_check.hpp"
#include "step/placement.hpp"
#include "step/precision.hpp"
#include "step/train_step.hpp"
#include "worker/batches.hpp"
#include "worker/untrusted_launch.hpp"

#include <ATen/ATen.h>

#include <utility>

namespace mpsbench::worker {
namespace {

std::unique_ptr<measure::Step> make_eager_step(PreparedLaunch& prepared, schema::Launch& launch) {
  const schema::CaseSpec& spec = prepared.request->spec;
  step::Evidence* evidence = prepared.evidence ? &*prepared.evidence : nullptr;
  const step::Precision precision = spec.precision;
  if (!prepared.model->training()) {
    const auto gradients =
        schema::is_published_inference(spec) ? step::Gradients::recorded : step::Gradients::none;
    return std::make_unique<step::InferStep>(*prepared.model, prepared.batch, precision, gradients, evidence);
  }
  step::TrainSettings settings{
      .precision = precision, .loss = step::find_loss(spec.loss), .optimizer = spec.optimizer};
  if (precision == step::Precision::fp16 && !prepared.device.capabilities().overflow_skips) {
    settings.overflow_check = step::OverflowCheck::host;
    launch.backend["overflow_check"] = "host";
  }
  return std::make_unique<step::TrainStep>(*prepared.model, prepared.batch, settings, evidence);
}

// Proves, on asynchronous devices, that a synchronise waits.
void require_synchronise(PreparedLaunch& prepared, schema::Launch& launch) {
  if (!prepared.device.asynchronous()) return;
  device::MatmulOperation operation(prepared.device);
  launch.self_test = measure::test_synchronise(operation, prepared.timer);
  if (launch.self_test->passed) return;
  throw UntrustedLaunch{{"self_test", measure::kSelfTestFailure, ""}};
}

void require_right_output(const PreparedLaunch& prepared) {
  if (!prepared.request->check_output) return;
  const std::string wrong =
      step::check_output(*prepared.model, prepared.batch, prepared.request->spec.precision);
  device::reset_peak_resident();  // do not count the copy of the network on the CPU
  if (!wrong.empty()) throw UntrustedLaunch{{schema::kWrongOutput, wrong, ""}};
}

}  // namespace

std::unique_ptr<PreparedLaunch> Preparation::run() {
  schema::SetupSeconds setup;  // the front measures load
  events_->on_phase(schema::Phase::device);
  auto prepared = std::make_unique<PreparedLaunch>(*request_, open_device());
  setup.device = lap_();
  events_->on_phase(schema::Phase::model);
  make_model(*prepared);
  setup.model = lap_();
  events_->on_phase(schema::Phase::data);
  make_batch(*prepared);
  make_step(*prepared);
  setup.data = lap_();
  launch_->setup_seconds = setup;
  return prepared;
}

device::Device Preparation::open_device() {
  const schema::CaseSpec& spec = request_->spec;
  if (const auto id = device::pci_bus_id(spec.device)) events_->send(schema::GpuEvent{*id});
  device::require_precision(spec.device.kind, spec.precision);
  if (spec.device.kind == schema::DeviceKind::cuda) step::require_own_precision();
  // The search for the fastest convolutions finds different ones from run to run. A dumped first step is
  // meant to be compared, so it does without the search.
  step::set_backend(spec.precision, !request_->dump_first_step);
  device::Device device = device::Device::open(spec.device);
  device.limit_memory();
  return device;
}

void Preparation::make_model(PreparedLaunch& prepared) {
  prepared.model = nn::make_model(request_->network_plan, request_->weights, request_->spec.seed,
                                  prepared.device.torch(), trains());
  if (request_->spec.channels_last) prepared.model->parameters().to_channels_last();
}

void Preparation::make_batch(PreparedLaunch& prepared) {
  prepared.batch = resident_batch(*request_, prepared.device);
  step::require_on_device(request_->network_plan, prepared.batch, prepared.model->parameters(),
                          prepared.device.torch());
  require_right_output(prepared);
  if (trains()) step::require_classes(request_->network_plan, *prepared.model, prepared.batch);
  if (trains() || schema::is_published_inference(request_->spec))
    prepared.model->parameters().require_gradients();
}

void Preparation::make_step(PreparedLaunch& prepared) {
  const schema::CaseSpec& spec = request_->spec;
  at::manual_seed(static_cast<std::uint64_t>(spec.seed));  // for dropout
  if (request_->dump_first_step) prepared.evidence.emplace(request_->network_plan);
  launch_->backend = step::read_backend(spec.precision, prepared.device.torch().type());
  prepared.step = step::make_engine_step(spec.engine, make_eager_step(prepared, *launch_), prepared.device);
  require_synchronise(prepared, *launch_);  // on the stream that the steps will use
  if (!is_fed(*request_)) return;
  prepared.feed = std::make_unique<step::Feed>(
      prepared.batch, fed_batches(*request_, prepared.batch, prepared.device), prepared.device);
}

}  // namespace mpsbench::worker
