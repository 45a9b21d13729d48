#include "measure/step_parts.hpp"

#include "stats/summary.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <vector>

namespace mpsbench::measure {
namespace {

// Marks by the reference clock, for devices on which a part is done when its call returns.
class ClockMarks final : public EventClock {
 public:
  explicit ClockMarks(Timer& timer) : timer_(&timer) {}

  void mark() override { marks_.push_back(timer_->now_seconds()); }
  std::vector<double> take_seconds() override {
    std::vector<double> seconds;
    for (std::size_t i = 1; i < marks_.size(); ++i) seconds.push_back(marks_[i] - marks_[i - 1]);
    marks_.clear();
    return seconds;
  }

 private:
  Timer* timer_;
  std::vector<double> marks_;
};

// Returns the time of a step without marks, whose batch is on the device.
double ordinary_seconds(LoopContext& context) {
  const schema::Launch& launch = context.out();
  if (launch.input_times) return context.largest(launch.input_times->resident_step_seconds);
  return context.largest(
      stats::median(launch.samples_seconds).value_or(std::numeric_limits<double>::infinity()));
}

// Returns 0 if too few steps are allowed, or if one takes longer than all may.
std::int64_t choose_steps(LoopContext& context, double step_seconds) {
  const double fitting = PartsRule::kShare * context.spec().max_time_seconds / step_seconds;
  const std::int64_t most =
      std::min(PartsRule::kMostSteps, context.work().max_batches.value_or(PartsRule::kMostSteps));
  if (fitting < 1 || most < PartsRule::kLeastSteps) return 0;
  return static_cast<std::int64_t>(
      std::clamp(fitting, static_cast<double>(PartsRule::kLeastSteps), static_cast<double>(most)));
}

bool is_near(double value, double reference, double tolerance) {
  return std::abs(value - reference) <= tolerance * reference;
}

// Returns the medians of the parts. SPANS has the parts of each step, one step after the other.
schema::StepParts medians_of(const std::vector<double>& spans) {
  std::array<std::vector<double>, 3> parts;
  for (std::size_t i = 0; i < spans.size(); ++i) parts[i % parts.size()].push_back(spans[i]);
  return {stats::median_of(parts[0]), stats::median_of(parts[1]), stats::median_of(parts[2])};
}

}  // namespace

void measure_step_parts(LoopContext& context, Step& step) {
  Timer& timer = context.timer();
  ClockMarks readings(timer);
  EventClock* marks = timer.asynchronous() ? timer.events() : &readings;
  if (marks == nullptr) return;
  const std::optional<schema::EventCheck>& check = context.out().event_check;
  if (context.largest(check && !check->agrees ? 1 : 0) > 0) return;  // all processes run the steps, or none
  const double step_seconds = ordinary_seconds(context);
  const std::int64_t steps = choose_steps(context, step_seconds);
  if (steps == 0) return;
  timer.synchronize();
  marks->mark();
  const double begin = timer.now_seconds();
  bool is_marked = true;
  for (std::int64_t i = 0; i < steps && is_marked; ++i) is_marked = step.run_marked(*marks);
  timer.synchronize();
  const double by_clock = timer.now_seconds() - begin;
  const std::vector<double> spans = marks->take_seconds();
  if (!is_marked) return;
  const schema::StepParts parts = medians_of(spans);
  const double sum = parts.forward_seconds + parts.backward_seconds + parts.update_seconds;
  const double by_marks = std::accumulate(spans.begin(), spans.end(), 0.0);
  const bool forwards = std::all_of(spans.begin(), spans.end(), [](double span) { return span >= 0; });
  if (forwards && is_near(by_marks, by_clock, PartsRule::kTolerance) &&
      is_near(sum, step_seconds, PartsRule::kStepTolerance))
    context.out().step_parts = parts;
}

}  // namespace mpsbench::measure
