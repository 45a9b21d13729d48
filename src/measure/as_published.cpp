#include "measure/as_published.hpp"

#include "measure/counted.hpp"

#include <optional>

namespace mpsbench::measure {
namespace {

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
    const std::int64_t window =
        next_window(out.steps_per_sample, has_smaller && !is_smaller ? left - 1 : left);
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
