#include "measure/warmup.hpp"

#include "stats/series.hpp"

#include <algorithm>
#include <cmath>

namespace mpsbench::measure {
namespace {

// Warm-up windows shorter than this share of the time allowed grow, so that short steps do not leave a
// million samples.
constexpr double kWindowShare = 1.0 / 2000;

// More than any launch can run; keeps what was asked for inside an integer.
constexpr double kMostSteps = 1e15;

// Steps a window: the least for the first steps, whose losses are wanted, and for steps that are not short.
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

bool run_steps(Session& session, std::int64_t steps) {
  WindowGrowth growth{session.spec().max_time_seconds, session.step().least_window_steps()};
  std::int64_t left = steps;
  while (left > 0 && session.remaining_seconds() > 0) {
    const std::int64_t now = std::min(growth.steps(), left);
    growth.after(session.run_warmup_window(now), session.losses());
    left -= now;
  }
  return left == 0;
}

bool run_seconds(Session& session, double seconds) {
  const double wanted = session.now_seconds() + seconds;
  const double end = std::min(wanted, session.deadline_seconds());
  WindowGrowth growth{seconds, session.step().least_window_steps()};
  while (session.now_seconds() < end) {
    growth.after(session.run_warmup_window(growth.steps()), session.losses());
  }
  return wanted <= end;
}

// A step is not begun when it would not fit the time allowed, as far as the last one tells; the first step
// tells little, so one warm-up step is allowed as long as the first would fit what is left at all.
bool run_until_warm(Session& session) {
  const std::vector<double>& samples = session.out().warmup_samples_seconds;
  const double budget = session.spec().max_time_seconds;
  const double begin = session.now_seconds();
  const double left = std::min(session.deadline_seconds() - begin, budget);
  const double allowed = WarmupRule::kMostShare * left;
  if (session.first_step_seconds() > left) return false;
  WindowGrowth growth{allowed, session.step().least_window_steps()};
  std::size_t next_look = 2;
  for (double elapsed = 0, next = 0; samples.empty() || elapsed + next <= allowed;) {
    const Window window = session.run_warmup_window(growth.steps());
    growth.after(window, session.losses());
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

bool warm_up(Session& session) {
  const schema::WarmupSpec& warmup = session.spec().warmup;
  switch (warmup.kind) {
    case schema::WarmupSpec::Kind::automatic:
      session.out().warmup_samples_seconds.reserve(static_cast<std::size_t>(kMostSamples));
      return run_until_warm(session);
    case schema::WarmupSpec::Kind::steps:
      return run_steps(session, static_cast<std::int64_t>(std::min(warmup.amount, kMostSteps)));
    case schema::WarmupSpec::Kind::seconds:
      return run_seconds(session, warmup.amount);
  }
  return true;
}

}  // namespace mpsbench::measure
