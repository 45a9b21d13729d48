#include "measure/measure_launch.hpp"

#include "measure/throughput.hpp"
#include "measure/warmup.hpp"

#include <algorithm>
#include <optional>

namespace mpsbench::measure {

void measure_launch(Step& step, Timer& timer, Observer& observer, Agreement& agreement, const schema::MeasureSpec& spec,
                    const WorkAmount& work, bool latency, schema::Launch& out, const InputParts* input) {
  LoopContext context{step, timer, observer, agreement, spec, work, out};
  if (work.as_published) return measure_counted(context, 1);
  const auto measure_rest = [&context, input, &resident = input != nullptr ? *input->resident : step] {
    measure_enqueue(context, resident);
    if (input != nullptr) measure_input(context, *input);
    measure_step_parts(context, resident);
  };
  observer.on_phase(schema::Phase::warmup);
  context.run_first_step();
  observer.on_first_step();
  const bool warm = warm_up(context);
  if (work.is_counted()) {
    measure_counted(context, choose_steps_per_sample(context));
    if (input != nullptr && work.last_is_smaller) {  // what follows is of whole batches
      input->feed->begin_epoch();
      input->feed->run();
    }
    observer.on_phase(schema::Phase::events);
    return measure_rest();
  }
  if (!warm) out.unmet.emplace_back("warmup");
  const bool is_automatic = spec.warmup.kind == schema::WarmupSpec::Kind::automatic;
  const auto steps_per_sample = is_automatic ? std::optional(choose_steps_per_sample(context)) : std::nullopt;
  const bool with_latency = latency && timer.asynchronous();
  const double kept_share = (with_latency ? kLatencyShare : 0) + (timer.events() != nullptr ? EventRule::kShare : 0);
  observer.on_phase(schema::Phase::measure);
  measure_throughput(context, steps_per_sample, context.deadline_seconds() - kept_share * spec.max_time_seconds);
  observer.on_phase(schema::Phase::events);
  measure_events(context);
  measure_rest();
  if (!with_latency) return;
  observer.on_phase(schema::Phase::latency);
  measure_latency(context);
}

namespace {

// One epoch or loop.
class Loop {
 public:
  // EPOCH counts from 1; 0 means a loop of iterations.
  Loop(LoopContext& context, std::int64_t steps, std::int64_t epoch)
      : context_(context),
        steps_(steps),
        epoch_(epoch),
        is_published_(context.work.as_published),
        tells_losses_(epoch > 0 && context.observer.wants_losses()) {
    const std::int64_t pauses = (context.out.steps_per_sample + kLossPause - 1) / kLossPause;
    loss_pause_ = pauses * kLossPause;
  }

  // Runs all steps and returns how many seconds they took.
  double run() {
    if (!is_published_) context_.timer.synchronize();
    mark_ = context_.timer.now_seconds();
    if (epoch_ > 0) context_.step.begin_epoch();
    while (done_ < steps_) run_window();
    return seconds_;
  }

 private:
  void run_window() {
    schema::Launch& out = context_.out;
    const std::int64_t left = steps_ - done_;
    const bool has_smaller = context_.work.has_smaller_step(steps_);
    const bool is_smaller = has_smaller && left == 1;
    const std::int64_t full = has_smaller && !is_smaller ? left - 1 : left;
    const bool pauses = tells_losses_ && !is_published_;
    const std::int64_t room = pauses ? std::min(full, loss_pause_ - done_ % loss_pause_) : full;
    const std::int64_t steps = next_window(std::min(out.steps_per_sample, room), room);
    const double end = is_published_ ? run_published(steps)
                                     : time_window_from(mark_, context_.step, context_.timer, steps).end_seconds;
    if (!is_smaller) out.samples_seconds.push_back((end - mark_) / static_cast<double>(steps));
    seconds_ += end - mark_;
    done_ += steps;
    context_.observer.on_window(steps);
    if (!is_published_) tell(end);
    mark_ = context_.timer.now_seconds();
  }

  // Runs STEPS steps and returns when the host had done with them. Reads the loss of each, as the scripts do:
  // keeps the last and reports those that they printed, of batches 0, 100, 200 and so on.
  double run_published(std::int64_t steps) {
    const bool reads = context_.work.reads_losses;
    std::optional<double> loss;
    for (std::int64_t batch = done_; batch < done_ + steps; ++batch) {
      context_.step.run();
      if (!reads) continue;
      loss = finite_loss(context_.step);
      if (tells_losses_ && batch % kLossPause == 0) tell_loss(batch, loss);
    }
    if (reads) context_.losses.keep(loss);
    return context_.timer.now_seconds();
  }

  void tell_loss(std::int64_t batch, std::optional<double> loss) {
    context_.observer.on_loss({epoch_, context_.work.epochs.value(), batch, steps_, loss});
  }

  // Reports losses and progress to the observer. The loop's time does not include this.
  void tell(double now_seconds) {
    if (tells_losses_ && (done_ % loss_pause_ == 0 || done_ == steps_)) tell_loss(done_, finite_loss(context_.step));
    context_.progress.report_mean(context_.out.samples_seconds.size(), seconds_ / static_cast<double>(done_),
                                  context_.step, now_seconds);
  }

  LoopContext& context_;
  std::int64_t steps_;
  std::int64_t epoch_;
  bool is_published_;
  bool tells_losses_;
  std::int64_t loss_pause_ = 0;
  std::int64_t done_ = 0;
  double seconds_ = 0;
  double mark_ = 0;  // when the current window began
};

// Returns the fewest steps that a window must have so that LOOPS loops of STEPS steps fit into kMostSamples
// windows.
std::int64_t least_steps_per_sample(std::int64_t steps, std::int64_t loops) {
  const std::int64_t windows = std::max<std::int64_t>(1, kMostSamples / loops);
  return (steps + windows - 1) / windows;
}

}  // namespace

void measure_counted(LoopContext& context, std::int64_t steps_per_sample) {
  const WorkAmount& work = context.work;
  schema::Launch& out = context.out;
  const std::int64_t loops = work.epochs.value_or(1);
  const std::int64_t steps = work.epochs ? work.steps_per_epoch : work.iterations.value();
  out.steps_per_sample = std::min(std::max(steps_per_sample, least_steps_per_sample(steps, loops)), steps);
  out.samples_seconds.reserve(static_cast<std::size_t>(kMostSamples));
  if (work.epochs) out.epochs.reserve(static_cast<std::size_t>(std::min(loops, kMostSamples)));
  for (std::int64_t loop = 1; loop <= loops; ++loop) {
    context.observer.on_phase(work.epochs ? schema::Phase::epoch : schema::Phase::loop);
    const double seconds = context.largest(Loop(context, steps, work.epochs ? loop : 0).run());
    if (work.epochs) {
      out.epochs.push_back({seconds, steps, work.rows_per_epoch});
    } else {
      out.loop_seconds = seconds;
    }
    if (!work.as_published) context.losses.after_sample(context.step);
    if (work.epochs) context.observer.on_epoch(loop, loop == loops);
  }
  out.stopped_by = work.epochs ? "epochs" : "iterations";
}

}  // namespace mpsbench::measure
