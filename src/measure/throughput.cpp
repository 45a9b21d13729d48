#include "measure/throughput.hpp"

#include "measure/step.hpp"
#include "stats/interval.hpp"
#include "stats/summary.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

namespace mpsbench::measure {

namespace {

// Estimates the seconds per step from the later half of the warm-up; without warm-up, from the first step.
double expected_step_seconds(LoopContext& context) {
  const std::span<const double> samples{context.out.warmup_samples_seconds};
  return stats::median(samples.last((samples.size() + 1) / 2)).value_or(context.first_step_seconds());
}

// Runs the first steps one by one if their losses are to be kept: a window of several steps has only one
// loss.
void run_first_steps_singly(LoopContext& context) {
  const double end = context.now_seconds() +
                     WindowRule::kTrialShare * std::min(context.remaining_seconds(), context.spec.max_time_seconds);
  while (context.losses.wants_single_steps() && context.now_seconds() < end) context.run_warmup_window(1);
}

// Returns the median of what some calls of TRIAL return.
template <typename Trial>
double median_of_trials(const Trial& trial) {
  std::array<double, WindowRule::kTrials> trials{};
  std::ranges::generate(trials, trial);
  return stats::median_of(trials);
}

// Measures how long CALL takes.
template <typename Call>
double seconds_of(Timer& timer, const Call& call) {
  return median_of_trials([&] {
    const double begin = timer.now_seconds();
    call();
    return timer.now_seconds() - begin;
  });
}

// Returns how long a window must last at least.
double least_seconds_for_clock(LoopContext& context) {
  const schema::MeasureSpec& spec = context.spec;
  const double fitting = spec.max_time_seconds / static_cast<double>(2 * spec.min_samples);
  const double for_clock = context.timer.clock_cost_seconds() / WindowRule::kClockShare;
  const double agreeing = seconds_of(context.timer, [&] { (void)context.now_seconds(); });
  const double for_agreement = std::min(fitting, agreeing / WindowRule::kAgreementShare);
  return context.largest(std::max(for_clock, for_agreement));
}

std::int64_t choose_for_clock(LoopContext& context) {
  const double least_seconds = least_seconds_for_clock(context);
  const bool warmed = !context.out.warmup_samples_seconds.empty();
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

double least_seconds_for_queue(LoopContext& context) {
  const double idle = seconds_of(context.timer, [&] { context.timer.synchronize(); });
  return context.largest(idle) / WindowRule::kSynchroniseShare;
}

double least_window_seconds(LoopContext& context) {
  return context.timer.asynchronous() ? least_seconds_for_queue(context) : least_seconds_for_clock(context);
}

double trial_step_seconds(LoopContext& context, std::int64_t steps) {
  return median_of_trials([&] { return context.run_warmup_window(steps).seconds / static_cast<double>(steps); });
}

std::int64_t choose_for_queue(LoopContext& context) {
  // So few steps make a single window, and no trials are needed.
  if (context.work.max_batches.value_or(WindowRule::kLeastQueued) < WindowRule::kLeastQueued)
    return WindowRule::kLeastQueued;
  run_first_steps_singly(context);
  const double begin = context.now_seconds();
  const double left = std::min(context.deadline_seconds() - begin, context.spec.max_time_seconds);
  const double end = begin + WindowRule::kTrialShare * left;
  const auto samples = static_cast<double>(context.spec.min_samples);
  std::int64_t steps = WindowRule::kLeastQueued;
  double seconds = expected_step_seconds(context);
  // Whether trials of so many steps fit into the time for trials, and min_samples windows of twice the steps
  // fit into the time left.
  const auto fits = [&](std::int64_t tried) {
    const double trials = WindowRule::kTrials * static_cast<double>(tried) * seconds;
    return context.now_seconds() + trials <= end && samples * static_cast<double>(2 * steps) * seconds <= left;
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
  const std::int64_t least = context.timer.asynchronous() ? WindowRule::kLeastQueued : 1;
  return std::max(least, static_cast<std::int64_t>(std::min(steps, static_cast<double>(kMostSamples))));
}

std::int64_t choose_by_timer(LoopContext& context) {
  if (context.spec.warmup.kind != schema::WarmupSpec::Kind::automatic) return choose_by_known_times(context);
  return context.timer.asynchronous() ? choose_for_queue(context) : choose_for_clock(context);
}

// Returns how many steps the first part of a growing sample has.
std::int64_t first_part_steps(LoopContext& context, std::int64_t most) {
  double steps = 1;
  if (context.timer.asynchronous()) {
    const double room = context.remaining_seconds() / expected_step_seconds(context);
    steps = std::clamp(room, 1.0, static_cast<double>(WindowRule::kLeastQueued));
  }
  return std::min(most, std::max(static_cast<std::int64_t>(steps), context.step.least_window_steps()));
}

// Runs the first sample without trials before it: its window is doubled until its later half meets the
// device's rule, but gets at most MOST steps. Stops doubling if too few windows would fit until
// DEADLINE_SECONDS.
Window run_growing_sample(LoopContext& context, std::int64_t most, double deadline_seconds) {
  const bool queues = context.timer.asynchronous();
  const bool is_cold = context.out.warmup_samples_seconds.empty();
  const double least_seconds = (is_cold && !queues ? WindowRule::kColdSlowdown : 1) * least_window_seconds(context);
  const std::int64_t least_steps = queues ? WindowRule::kLeastQueued : 1;
  const auto samples = static_cast<double>(context.spec.min_samples);
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

// The interval is computed again when there are this many times as many samples: at most about 40 times per
// launch. Computing it rarely also makes it less likely that a launch stops because of chance.
constexpr double kLookGrowth = 1.15;

}  // namespace

std::int64_t choose_steps_per_sample(LoopContext& context) {
  return std::max(choose_by_timer(context), context.step.least_window_steps());
}

StoppingRule::StoppingRule(const schema::MeasureSpec& spec, double deadline_seconds,
                           std::optional<std::int64_t> max_batches)
    : spec_(spec), deadline_seconds_(deadline_seconds), max_batches_(max_batches) {}

std::optional<std::string> StoppingRule::stops(const SamplesSoFar& so_far) {
  const std::size_t count = so_far.samples.size();
  if (max_batches_ && so_far.steps >= *max_batches_) return "max-batches";
  const bool full = count >= static_cast<std::size_t>(kMostSamples);
  const bool late = so_far.now_seconds >= deadline_seconds_;
  if (full || late) {
    if (unmet(so_far).empty()) return "max-noise";
    return full ? "max-samples" : "max-time";
  }
  if (so_far.timed_seconds < spec_.min_time_seconds) return std::nullopt;
  if (count < static_cast<std::size_t>(spec_.min_samples) || count < next_look_) return std::nullopt;
  next_look_ = static_cast<std::size_t>(static_cast<double>(count) * kLookGrowth) + 1;
  if (unmet(so_far).empty()) return "max-noise";
  return std::nullopt;
}

std::vector<std::string> StoppingRule::unmet(const SamplesSoFar& so_far) const {
  std::vector<std::string> conditions;
  if (so_far.timed_seconds < spec_.min_time_seconds) conditions.emplace_back("min-time");
  if (static_cast<std::int64_t>(so_far.samples.size()) < spec_.min_samples) conditions.emplace_back("min-samples");
  const auto interval = stats::median_interval(so_far.samples);
  if (!interval || interval->relative_half_width() > spec_.max_noise) conditions.emplace_back("max-noise");
  return conditions;
}

void measure_throughput(LoopContext& context, std::optional<std::int64_t> steps_per_sample, double deadline_seconds) {
  schema::Launch& out = context.out;
  const std::int64_t most = context.work.max_batches.value_or(std::numeric_limits<std::int64_t>::max());
  if (steps_per_sample) out.steps_per_sample = std::min(*steps_per_sample, most);
  out.samples_seconds.reserve(static_cast<std::size_t>(kMostSamples));
  StoppingRule rule{context.spec, deadline_seconds, context.work.max_batches};
  SamplesSoFar so_far;
  std::optional<std::string> stopped_by;
  while (!stopped_by) {
    const bool is_sized = out.steps_per_sample > 0;
    std::int64_t steps = is_sized ? next_window(out.steps_per_sample, most - so_far.steps) : 0;
    const Window window = is_sized ? context.run_sample_window(steps, out.samples_seconds)
                                   : run_growing_sample(context, most, deadline_seconds);
    if (!is_sized) steps = out.steps_per_sample;
    so_far.samples = out.samples_seconds;
    so_far.timed_seconds += window.seconds;
    so_far.steps += steps;
    so_far.now_seconds = window.end_seconds;
    stopped_by = rule.stops(so_far);
  }
  out.stopped_by = *stopped_by;
  std::ranges::copy(rule.unmet(so_far), std::back_inserter(out.unmet));
}

void measure_latency(LoopContext& context) {
  std::vector<double>& samples = context.out.latency_samples_seconds;
  samples.reserve(static_cast<std::size_t>(kMostSamples));
  StoppingRule rule{context.spec, context.deadline_seconds(), context.work.max_batches};
  SamplesSoFar so_far;
  do {
    const Window window = context.run_sample_window(1, samples);
    so_far.samples = samples;
    so_far.timed_seconds += window.seconds;
    ++so_far.steps;
    so_far.now_seconds = window.end_seconds;
  } while (!rule.stops(so_far));
}

}  // namespace mpsbench::measure
