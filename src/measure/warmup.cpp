#include "measure/warmup.hpp"

#include "stats/summary.hpp"

#include <algorithm>
#include <cmath>

namespace mpsbench::measure {
namespace {

// Warm-up windows grow until they last this share of the allowed time, so that short steps do not produce a
// million samples.
constexpr double kWindowShare = 1.0 / 2000;

// More than any launch can run. This limit keeps the number that the user gave within an integer.
constexpr double kMostSteps = 1e15;

// Chooses the steps of a warm-up window. The first steps, whose losses are kept, and long steps get the
// smallest windows.
class WindowGrowth {
 public:
  WindowGrowth(double allowed_seconds, std::int64_t least_steps)
      : least_seconds_(kWindowShare * allowed_seconds), steps_(least_steps) {}

  [[nodiscard]] std::int64_t steps() const { return steps_; }
  void after(const Window& window, const LossLog& losses) {
    if (!losses.in_first_steps() && window.seconds < least_seconds_) steps_ *= 2;
  }

 private:
  double least_seconds_;
  std::int64_t steps_;
};

bool run_steps(LoopContext& context, std::int64_t steps) {
  WindowGrowth growth{context.spec.max_time_seconds, 1};
  std::int64_t left = steps;
  while (left > 0 && context.remaining_seconds() > 0) {
    const std::int64_t now = std::min(growth.steps(), left);
    growth.after(context.run_warmup_window(now), context.losses);
    left -= now;
  }
  return left <= 0;
}

bool run_seconds(LoopContext& context, double wanted) {
  const double end = std::min(wanted, context.deadline_seconds());
  WindowGrowth growth{wanted - context.now_seconds(), context.step.least_window_steps()};
  while (context.now_seconds() < end) {
    growth.after(context.run_warmup_window(growth.steps()), context.losses);
  }
  return wanted <= end;
}

// Does not begin a window that, judging by the last one, would exceed the allowed time. The first step says
// little about the others, so one warm-up window is always allowed, unless the first step took longer than
// the time left.
bool run_until_warm(LoopContext& context) {
  const std::vector<double>& samples = context.out.warmup_samples_seconds;
  const double budget = context.spec.max_time_seconds;
  const double begin = context.now_seconds();
  const double left = std::min(context.deadline_seconds() - begin, budget);
  const double allowed = WarmupRule::kMostShare * left;
  if (context.first_step_seconds() > left) return false;
  WindowGrowth growth{allowed, context.step.least_window_steps()};
  std::size_t next_look = 2;
  for (double elapsed = 0, next = 0; samples.empty() || elapsed + next <= allowed;) {
    const Window window = context.run_warmup_window(growth.steps());
    growth.after(window, context.losses);
    elapsed = window.end_seconds - begin;
    next = samples.back() * static_cast<double>(growth.steps());
    if (samples.size() < next_look) continue;
    if (is_warm(samples, elapsed, budget)) return true;
    next_look = samples.size() + 1 + samples.size() / 8;
  }
  return false;
}

}  // namespace

bool is_warm(std::span<const double> samples, double elapsed_seconds, double budget_seconds) {
  using Rule = WarmupRule;
  if (samples.size() < 2) return false;
  if (samples.size() < Rule::kLeastWindows) {
    if (elapsed_seconds < std::min(Rule::kLongSeconds, Rule::kLongShare * budget_seconds)) return false;
    const double last = samples.back();
    const double before = samples[samples.size() - 2];
    return std::abs(last - before) <= Rule::kLongTolerance * std::min(last, before);
  }
  if (elapsed_seconds < std::min(Rule::kLeastSeconds, Rule::kLeastShare * budget_seconds)) return false;
  const std::size_t later = std::max(Rule::kLeastWindows - 2, samples.size() / 2);
  return stats::is_settled(samples.last(later), Rule::kTolerance);
}

bool warm_up(LoopContext& context) {
  const schema::WarmupSpec& warmup = context.spec.warmup;
  const double begin = context.now_seconds();
  const std::int64_t prepared = context.step.preparation_steps();
  for (std::int64_t i = 0; i < prepared; ++i) context.run_warmup_window(1);
  // So far a GPU has loaded kernels and searched for the fastest convolutions. That should not use up the
  // time for measuring.
  if (context.timer.asynchronous()) context.restart_time();
  switch (warmup.kind) {
    case schema::WarmupSpec::Kind::automatic:
      context.out.warmup_samples_seconds.reserve(static_cast<std::size_t>(kMostSamples));
      return run_until_warm(context);
    case schema::WarmupSpec::Kind::steps:
      return run_steps(context, static_cast<std::int64_t>(std::min(warmup.amount, kMostSteps)) - prepared);
    case schema::WarmupSpec::Kind::seconds:
      return run_seconds(context, begin + warmup.amount);
  }
  return true;
}

}  // namespace mpsbench::measure
