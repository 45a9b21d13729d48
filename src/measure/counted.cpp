#include "measure/counted.hpp"

#include <algorithm>
#include <optional>

namespace mpsbench::measure {

namespace {

// One epoch or loop.
class Loop {
 public:
  // EPOCH counts from 1; 0 means a loop of iterations.
  Loop(LoopContext& context, std::int64_t steps, std::int64_t epoch)
      : context_(context), steps_(steps), epoch_(epoch), tells_losses_(epoch > 0 && context.observer().wants_losses()) {
    const std::int64_t pauses = (context.out().steps_per_sample + kLossPause - 1) / kLossPause;
    loss_pause_ = pauses * kLossPause;
  }

  // Runs all steps and returns how many seconds they took.
  double run() {
    context_.timer().synchronize();
    mark_ = context_.timer().now_seconds();
    if (epoch_ > 0) context_.step().begin_epoch();
    while (done_ < steps_) run_window();
    return seconds_;
  }

 private:
  void run_window() {
    schema::Launch& out = context_.out();
    const std::int64_t left = steps_ - done_;
    const bool has_smaller = context_.work().has_smaller_step(steps_);
    const bool is_smaller = has_smaller && left == 1;
    const std::int64_t full = has_smaller && !is_smaller ? left - 1 : left;
    const std::int64_t room = tells_losses_ ? std::min(full, loss_pause_ - done_ % loss_pause_) : full;
    const std::int64_t steps = next_window(std::min(out.steps_per_sample, room), room);
    const Window window = time_window_from(mark_, context_.step(), context_.timer(), steps);
    if (!is_smaller) out.samples_seconds.push_back(window.seconds / static_cast<double>(steps));
    seconds_ += window.seconds;
    done_ += steps;
    context_.observer().on_window(steps);
    tell(window.end_seconds);
    mark_ = context_.timer().now_seconds();
  }

  // Reports losses and progress to the observer. The loop's time does not include this.
  void tell(double now_seconds) {
    if (tells_losses_ && (done_ % loss_pause_ == 0 || done_ == steps_)) {
      context_.observer().on_loss(
          {epoch_, context_.work().epochs.value(), done_, steps_, finite_loss(context_.step())});
    }
    context_.progress().report_mean(context_.out().samples_seconds.size(), seconds_ / static_cast<double>(done_),
                                    context_.step(), now_seconds);
  }

  LoopContext& context_;
  std::int64_t steps_;
  std::int64_t epoch_;
  bool tells_losses_;
  std::int64_t loss_pause_ = 0;
  std::int64_t done_ = 0;
  double seconds_ = 0;
  double mark_ = 0;  // when the current window began
};

std::int64_t window_steps(std::int64_t wanted, std::int64_t steps, std::int64_t loops) {
  return std::min(std::max(wanted, least_steps_per_sample(steps, loops)), steps);
}

void measure_epochs(LoopContext& context, std::int64_t epochs, std::int64_t steps_per_sample) {
  const WorkAmount& work = context.work();
  schema::Launch& out = context.out();
  out.steps_per_sample = window_steps(steps_per_sample, work.steps_per_epoch, epochs);
  out.epochs.reserve(static_cast<std::size_t>(std::min(epochs, kMostSamples)));
  for (std::int64_t epoch = 1; epoch <= epochs; ++epoch) {
    context.observer().on_phase(schema::Phase::epoch);
    const double seconds = context.largest(Loop(context, work.steps_per_epoch, epoch).run());
    out.epochs.push_back({seconds, work.steps_per_epoch, work.rows_per_epoch});
    context.losses().after_sample(context.step());
    context.observer().on_epoch(epoch, epoch == epochs);
  }
  out.stopped_by = "epochs";
}

void measure_iterations(LoopContext& context, std::int64_t iterations, std::int64_t steps_per_sample) {
  schema::Launch& out = context.out();
  context.observer().on_phase(schema::Phase::loop);
  out.steps_per_sample = window_steps(steps_per_sample, iterations, 1);
  out.loop_seconds = context.largest(Loop(context, iterations, 0).run());
  context.losses().after_sample(context.step());
  out.stopped_by = "iterations";
}

// Runs STEPS steps and reads the loss of each. Keeps the last loss and reports those that the scripts
// printed: of batches 0, 100, 200 and so on. DONE steps of the loop came before.
void run_reading_steps(LoopContext& context, std::int64_t epoch, std::int64_t steps, std::int64_t done) {
  const WorkAmount& work = context.work();
  const bool tells = work.epochs && context.observer().wants_losses();
  std::optional<double> loss;
  for (std::int64_t batch = done; batch < done + steps; ++batch) {
    context.step().run();
    loss = finite_loss(context.step());
    if (tells && batch % kLossPause == 0)
      context.observer().on_loss({epoch, work.epochs.value(), batch, work.steps_per_epoch, loss});
  }
  context.losses().keep(loss);
}

// Runs STEPS steps and returns how many seconds they took, without those of the observer.
double run_loop(LoopContext& context, std::int64_t epoch, std::int64_t steps) {
  schema::Launch& out = context.out();
  double mark = context.timer().now_seconds();
  double seconds = 0;
  const bool has_smaller = context.work().has_smaller_step(steps);
  if (context.work().epochs) context.step().begin_epoch();
  for (std::int64_t left = steps; left > 0;) {
    const bool is_smaller = has_smaller && left == 1;
    const std::int64_t window = next_window(out.steps_per_sample, has_smaller && !is_smaller ? left - 1 : left);
    if (context.work().reads_losses) {
      run_reading_steps(context, epoch, window, steps - left);
    } else {
      for (std::int64_t i = 0; i < window; ++i) context.step().run();
    }
    const double taken = context.timer().now_seconds() - mark;
    if (!is_smaller) out.samples_seconds.push_back(taken / static_cast<double>(window));
    seconds += taken;
    left -= window;
    context.observer().on_window(window);
    mark = context.timer().now_seconds();
  }
  return seconds;
}

}  // namespace

std::int64_t least_steps_per_sample(std::int64_t steps, std::int64_t loops) {
  const std::int64_t windows = std::max<std::int64_t>(1, kMostSamples / loops);
  return (steps + windows - 1) / windows;
}

void measure_counted(LoopContext& context, std::int64_t steps_per_sample) {
  context.out().samples_seconds.reserve(static_cast<std::size_t>(kMostSamples));
  if (context.work().epochs) {
    measure_epochs(context, *context.work().epochs, steps_per_sample);
  } else {
    measure_iterations(context, context.work().iterations.value(), steps_per_sample);
  }
}

void measure_as_published(LoopContext& context) {
  const WorkAmount& work = context.work();
  schema::Launch& out = context.out();
  const std::int64_t loops = work.epochs.value_or(1);
  const std::int64_t steps = work.epochs ? work.steps_per_epoch : work.iterations.value();
  out.steps_per_sample = least_steps_per_sample(steps, loops);
  out.samples_seconds.reserve(static_cast<std::size_t>(kMostSamples));
  for (std::int64_t loop = 1; loop <= loops; ++loop) {
    context.observer().on_phase(work.epochs ? schema::Phase::epoch : schema::Phase::loop);
    const double seconds = run_loop(context, loop, steps);
    if (work.epochs) {
      out.epochs.push_back({seconds, steps, work.rows_per_epoch});
      context.observer().on_epoch(loop, loop == loops);
    } else {
      out.loop_seconds = seconds;
    }
  }
  out.stopped_by = work.epochs ? "epochs" : "iterations";
}

}  // namespace mpsbench::measure
