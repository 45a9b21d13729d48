#include "worker/prepared_launch.hpp"

#include "base/process_memory.hpp"
#include "device/libtorch_errors.hpp"
#include "measure/communication.hpp"
#include "measure/measure_launch.hpp"
#include "step/engine.hpp"
#include "worker/launch_observer.hpp"

#include <c10/util/Exception.h>

#include <span>

namespace mpsbench::worker {

namespace {

// Runs STEP until all its steps are alike.
void prepare(measure::Step& step, const device::Device& device) {
  for (std::int64_t left = step.preparation_steps() + 2; left > 0; --left) step.run();
  device.synchronize();
}

// Makes the step of PREPARED without averaging. Returns null if there is no memory for it on some rank, so
// that all ranks do the same.
std::unique_ptr<measure::Step> prepare_step_alone(PreparedLaunch& prepared) {
  std::unique_ptr<measure::Step> alone;
  double failed = 0;
  try {
    alone = prepared.make_step_alone();
    prepare(*alone, prepared.device);
  } catch (const c10::Error& error) {
    if (!device::says_out_of_memory(error.what_without_backtrace())) throw;
    failed = 1;
  }
  prepared.group->take_largest(std::span(&failed, 1));
  return failed > 0 ? nullptr : std::move(alone);
}

}  // namespace

void PreparedLaunch::measure(Events& events, schema::Launch& launch) {
  device.reset_peak_memory();
  LaunchObserver observer(*this, events, launch);
  const bool latency = row_of(request->spec.mode).has_latency;
  measure::Agreement& agreement = group != nullptr ? static_cast<measure::Agreement&>(*group) : measure::alone();
  double nothing = 0;
  agreement.take_largest(std::span(&nothing, 1));  // begin together: only rank 0 has compared its first step
  const measure::WorkAmount work = measure::work_amount(request->spec);
  if (feed != nullptr) {
    step::FedStep fed(*step, *feed);
    const measure::InputParts parts{step.get(), feed.get()};
    measure::measure_launch(fed, timer, observer, agreement, request->measure, work, latency, launch, &parts);
  } else {
    measure::measure_launch(*step, timer, observer, agreement, request->measure, work, latency, launch);
  }
  launch.peak_resident_bytes = base::peak_resident_bytes();
  use_evidence();
  if (averaged != nullptr && !group->are_equal(model->parameters().trainable()))
    throw UntrustedLaunch{{"weights_differ",
                           "after training, the ranks' weights differ; give all ranks the same devices and "
                           "the same variables, such as ATEN_CPU_CAPABILITY",
                           ""}};
  if (const auto peak = device.peak_memory()) {
    launch.peak_device_bytes = peak->allocated_bytes;
    launch.peak_reserved_bytes = peak->reserved_bytes;
  }
  if (averaged != nullptr && !work.is_counted() && !work.max_batches) measure_averaging(launch);
  agreement.take_largest(std::span(&nothing, 1));  // end together: the others may still need rank 0's store
  if (group != nullptr) group->stop_watching();
}

void PreparedLaunch::use_evidence() {
  if (!evidence) return;
  if (request->dump_first_step) evidence->write(*request->dump_first_step);
  const bool is_wrong = !row_of(request->spec.mode).trains && !evidence->is_output_finite();
  evidence.reset();
  if (is_wrong)
    throw UntrustedLaunch{{schema::kWrongOutput, "the output of the first step has values that are not finite", ""}};
}

void PreparedLaunch::measure_averaging(schema::Launch& launch) {
  step.reset();  // its memory is for the other one
  averaged->buckets().turn(false);
  const std::unique_ptr<measure::Step> alone = prepare_step_alone(*this);
  if (alone == nullptr) return;
  const std::unique_ptr<measure::Step> average =
      step::make_engine_step(request->spec.engine, std::make_unique<AverageStep>(averaged->buckets()), device);
  prepare(*average, device);
  measure::measure_communication(*alone, *average, timer, *group, request->measure, launch);
  auto& communication = launch.communication.value();
  communication.bytes = averaged->buckets().bytes();
  communication.buckets = static_cast<std::int64_t>(averaged->buckets().count());
}

}  // namespace mpsbench::worker
