#include "worker/prepared_launch.hpp"

#include "base/process_memory.hpp"
#include "device/libtorch_errors.hpp"
#include "measure/communication.hpp"
#include "measure/measure_launch.hpp"
#include "measure/progress.hpp"
#include "measure/sequences.hpp"
#include "step/engine.hpp"
#include "step/infer_step.hpp"
#include "worker/batches.hpp"

#include <c10/util/Exception.h>

#include <span>
#include <string>

namespace mpsbench::worker {

namespace {

UntrustedLaunch not_finite(const std::string& step) {
  return UntrustedLaunch{{schema::kWrongOutput, "the output of the " + step + " has values that are not finite", ""}};
}

// Records what a launch tells about its steps between the timed windows. Writes the evidence of the first step
// immediately, so that a later failure does not lose it.
class LaunchObserver final : public PartSender {
 public:
  // Fills LAUNCH. PREPARED, EVENTS and LAUNCH must outlive the observer.
  LaunchObserver(PreparedLaunch& prepared, Events& events, schema::Launch& launch)
      : PartSender(events, launch),
        prepared_(prepared),
        launch_(launch),
        live_memory_([&prepared] { return prepared.device.live_bytes(); }, launch.live_bytes) {
    const schema::CaseSpec& spec = prepared.request->spec;
    if (spec.as_published) return;
    attention_.emplace();
    if (spec.device.row().falls_back) fallback_.emplace();
  }

  void on_window(std::int64_t steps) override { live_memory_.after_window(steps); }
  [[nodiscard]] bool wants_losses() const override { return prepared_.request->report_losses; }

  void on_first_step() override {
    if (const std::string attention = attention_.value().backend(); !attention.empty())
      launch_.backend["attention"] = attention;
    attention_.reset();
    if (fallback_) {
      launch_.sensors.push_back(
          schema::sensor_record(schema::sensor::kMpsCpuFallbackOperators, static_cast<double>(fallback_->operators())));
      fallback_.reset();
    }
    PartSender::on_first_step();
    prepared_.use_evidence();
  }

  // Evaluates what the network has learned so far.
  void on_epoch(std::int64_t epoch, bool is_last) override {
    PartSender::on_epoch(epoch, is_last);
    const schema::LaunchRequest& request = *prepared_.request;
    const schema::CaseSpec& spec = request.spec;
    if (!request.data_folder || !row_of(spec.mode).trains || spec.max_batches) return;
    on_phase(schema::Phase::evaluate);
    for (const auto& row : schema::ClosedSet<data::DataPart>::kRows) {
      const data::DataPart part = row.value;
      if (part == data::DataPart::test && !is_last) continue;
      const auto options = data_options(request, part, prepared_.device.capabilities().copy_streams);
      launch_.evaluations.push_back(
          step::evaluate(request.network_plan, *prepared_.model, options, part, spec.precision));
      launch_.evaluations.back().epoch = epoch;
      on_part();
    }
  }

 private:
  PreparedLaunch& prepared_;
  schema::Launch& launch_;
  measure::LiveMemoryLog live_memory_;
  std::optional<step::AttentionWatch> attention_;     // until the first step is done
  std::optional<device::CpuFallbackWatch> fallback_;  // until the first step is done
};

void run_until_alike(measure::Step& step, const device::Device& device) {
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
    run_until_alike(*alone, prepared.device);
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
  if (generation != nullptr) {
    measure::measure_sequences(*generation, timer, observer, agreement, request->measure, request->spec.max_batches,
                               launch);
  } else if (feed != nullptr) {
    step::FedStep fed(*step, *feed);
    const measure::InputParts parts{step.get(), feed.get()};
    measure::measure_launch(fed, timer, observer, agreement, request->measure, work, latency, launch, &parts);
  } else {
    measure::measure_launch(*step, timer, observer, agreement, request->measure, work, latency, launch);
  }
  launch.peak_resident_bytes = base::peak_resident_bytes();
  use_evidence();
  if (generation != nullptr && !generation->is_output_finite()) throw not_finite("last token");
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
  if (is_wrong) throw not_finite("first step");
}

void PreparedLaunch::measure_averaging(schema::Launch& launch) {
  step.reset();  // its memory is for the other one
  averaged->buckets().turn(false);
  const std::unique_ptr<measure::Step> alone = prepare_step_alone(*this);
  if (alone == nullptr) return;
  const std::unique_ptr<measure::Step> average =
      step::make_engine_step(request->spec.engine, std::make_unique<AverageStep>(averaged->buckets()), device);
  run_until_alike(*average, device);
  measure::measure_communication(*alone, *average, timer, *group, request->measure, launch);
  auto& communication = launch.communication.value();
  communication.bytes = averaged->buckets().bytes();
  communication.buckets = static_cast<std::int64_t>(averaged->buckets().count());
}

}  // namespace mpsbench::worker
