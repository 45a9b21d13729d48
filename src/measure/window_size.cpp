#include "measure/window_size.hpp"

#include "stats/summary.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace mpsbench::measure {
namespace {

// Estimates the seconds per step from the later half of the warm-up; without warm-up, from the first step.
double expected_step_seconds(LoopContext& context) {
  const std::span<const double> samples{context.out().warmup_samples_seconds};
  return stats::median(samples.last((samples.size() + 1) / 2)).value_or(context.first_step_seconds());
}

// Runs the first steps one by one if their losses are to be kept: a window of several steps has only one
// loss.
void run_first_steps_singly(LoopContext& context) {
  const double end =
      context.now_seconds() +
      WindowRule::kTrialShare * std::min(context.remaining_seconds(), context.spec().max_time_seconds);
  while (context.losses().wants_single_steps() && context.now_seconds() < end) context.run_warmup_window(1);
}

// Measures how long the processes take to agree on a number.
double agreement_seconds(LoopContext& context) {
  std::array<double, WindowRule::kTrials> trials{};
  for (double& trial : trials) {
    const double begin = context.timer().now_seconds();
    (void)context.now_seconds();
    trial = context.timer().now_seconds() - begin;
  }
  return stats::median_of(trials);
}

// Returns how long a window must last at least.
double least_seconds_for_clock(LoopContext& context) {
  const schema::MeasureSpec& spec = context.spec();
  const double fitting = spec.max_time_seconds / static_cast<double>(2 * spec.min_samples);
  const double for_clock = context.timer().clock_cost_seconds() / WindowRule::kClockShare;
  const double for_agreement = std::min(fitting, agreement_seconds(context) / WindowRule::kAgreementShare);
  return context.largest(std::max(for_clock, for_agreement));
}

std::int64_t choose_for_clock(LoopContext& context) {
  const double least_seconds = least_seconds_for_clock(context);
  const bool warmed = !context.out().warmup_samples_seconds.empty();
  const double margin = warmed ? 1 : WindowRule::kFirstStepSlowdown;
  if (expected_step_seconds(context) > least_seconds * margin) return 1;
  run_first_steps_singly(context);
  for (std::int64_t steps = 1;; steps *= 2) {
    const double seconds = context.run_warmup_window(steps).seconds;
    if (seconds > least_seconds) {
      return static_cast<std::int64_t>(least_seconds * static_cast<double>(steps) / seconds) + 1;
    }
    if (context.remaining_seconds() <= 0) return steps;
  }
}

// Measures how long a synchronise takes if there is nothing to wait for.
double idle_synchronise_seconds(Timer& timer) {
  std::array<double, WindowRule::kTrials> trials{};
  for (double& trial : trials) {
    const double begin = timer.now_seconds();
    timer.synchronize();
    trial = timer.now_seconds() - begin;
  }
  return stats::median_of(trials);
}

double least_seconds_for_queue(LoopContext& context) {
  return context.largest(idle_synchronise_seconds(context.timer())) / WindowRule::kSynchroniseShare;
}

double least_window_seconds(LoopContext& context) {
  return context.timer().asynchronous() ? least_seconds_for_queue(context) : least_seconds_for_clock(context);
}

double trial_step_seconds(LoopContext& context, std::int64_t steps) {
  std::array<double, WindowRule::kTrials> trials{};
  for (double& trial : trials) trial = context.run_warmup_window(steps).seconds / static_cast<double>(steps);
  return stats::median_of(trials);
}

std::int64_t choose_for_queue(LoopContext& context) {
  // So few steps make a single window, and no trials are needed.
  if (context.work().max_batches.value_or(WindowRule::kLeastQueued) < WindowRule::kLeastQueued)
    return WindowRule::kLeastQueued;
  run_first_steps_singly(context);
  const double begin = context.now_seconds();
  const double left = std::min(context.deadline_seconds() - begin, context.spec().max_time_seconds);
  const double end = begin + WindowRule::kTrialShare * left;
  const auto samples = static_cast<double>(context.spec().min_samples);
  std::int64_t steps = WindowRule::kLeastQueued;
  double seconds = expected_step_seconds(context);
  // Whether trials of so many steps fit into the time for trials, and min_samples windows of twice the steps
  // fit into the time left.
  const auto fits = [&](std::int64_t tried) {
    const double trials = WindowRule::kTrials * static_cast<double>(tried) * seconds;
    return context.now_seconds() + trials <= end &&
           samples * static_cast<double>(2 * steps) * seconds <= left;
  };
  const double least_seconds = least_seconds_for_queue(context);
  while (static_cast<double>(steps) * seconds < least_seconds && fits(2 * steps)) steps *= 2;
  if (fits(3 * steps)) seconds = trial_step_seconds(context, steps);
  while (fits(2 * steps)) {
    const double doubled = trial_step_seconds(context, 2 * steps);
    const bool same = std::abs(seconds - doubled) < WindowRule::kTolerance * doubled;
    seconds = doubled;
    if (same) break;
    steps *= 2;
  }
  const double room = std::max(context.remaining_seconds(), 0.0);
  if (room >= static_cast<double>(steps) * seconds) return steps;
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(room / seconds));
}

// Without trials: from the times of the steps so far.
std::int64_t choose_by_known_times(LoopContext& context) {
  const double steps = std::ceil(least_window_seconds(context) / expected_step_seconds(context));
  const std::int64_t least = context.timer().asynchronous() ? WindowRule::kLeastQueued : 1;
  return std::max(least, static_cast<std::int64_t>(std::min(steps, static_cast<double>(kMostSamples))));
}

std::int64_t choose_by_timer(LoopContext& context) {
  if (context.spec().warmup.kind != schema::WarmupSpec::Kind::automatic)
    return choose_by_known_times(context);
  return context.timer().asynchronous() ? choose_for_queue(context) : choose_for_clock(context);
}

// Returns how many steps the first part of a growing sample has.
std::int64_t first_part_steps(LoopContext& context, std::int64_t most) {
  double steps = 1;
  if (context.timer().asynchronous()) {
    const double room = context.remaining_seconds() / expected_step_seconds(context);
    steps = std::clamp(room, 1.0, static_cast<double>(WindowRule::kLeastQueued));
  }
  return std::min(most, std::max(static_cast<std::int64_t>(steps), context.step().least_window_steps()));
}

}  // namespace

std::int64_t choose_steps_per_sample(LoopContext& context) {
  return std::max(choose_by_timer(context), context.step().least_window_steps());
}

Window run_growing_sample(LoopContext& context, std::int64_t most, double deadline_seconds) {
  const bool queues = context.timer().asynchronous();
  const bool is_cold = context.out().warmup_samples_seconds.empty();
  const double least_seconds =
      (is_cold && !queues ? WindowRule::kColdSlowdown : 1) * least_window_seconds(context);
  const std::int64_t least_steps = queues ? WindowRule::kLeastQueued : 1;
  const auto samples = static_cast<double>(context.spec().min_samples);
  std::int64_t steps = first_part_steps(context, most);
  std::int64_t steps_before = 0;
  double step_seconds_before = 0;
  return context.run_growing_sample(steps, [&](const Window& part, std::int64_t done) -> std::int64_t {
    const double step_seconds = part.seconds / static_cast<double>(steps);
    const double change = std::abs(step_seconds - step_seconds_before);
    const bool is_same = steps == 2 * steps_before && change < WindowRule::kTolerance * step_seconds;
    const bool is_enough = part.seconds > least_seconds && done >= least_steps && (is_same || !queues);
    const double needed = samples * static_cast<double>(2 * done) * step_seconds;
    const bool fits = needed <= deadline_seconds - part.end_seconds;
    steps_before = steps;
    step_seconds_before = step_seconds;
    if (most - done < done) {
      steps = most - done;  // no other window would be as long
    } else {
      steps = is_enough || !fits ? 0 : done;
    }
    return steps;
  });
}

}  // namespace mpsbench::measure
