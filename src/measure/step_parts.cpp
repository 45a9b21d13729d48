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
  const schema::Launch& launch = context.out;
  if (launch.input_times) return context.largest(launch.input_times->resident_step_seconds);
  return context.largest(stats::median(launch.samples_seconds).value_or(std::numeric_limits<double>::infinity()));
}

// Returns 0 if too few steps are allowed, or if one takes longer than all may.
std::int64_t choose_steps(LoopContext& context, double step_seconds) {
  const double fitting = PartsRule::kShare * context.spec.max_time_seconds / step_seconds;
  const std::int64_t most = std::min(PartsRule::kMostSteps, context.work.max_batches.value_or(PartsRule::kMostSteps));
  if (fitting < 1 || most < PartsRule::kLeastSteps) return 0;
  return static_cast<std::int64_t>(
      std::clamp(fitting, static_cast<double>(PartsRule::kLeastSteps), static_cast<double>(most)));
}

// Whether a clock never went backwards.
bool runs_forwards(const std::vector<double>& spans) {
  return std::ranges::all_of(spans, [](double span) { return span >= 0; });
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

// A window's time in seconds per step.
struct MarkedWindow {
  double by_clock = 0;
  std::vector<double> spans;  // between events
};

// Times a window of SPANS spans of STEPS steps each, with an event after each span.
MarkedWindow time_marked_window(LoopContext& context, EventClock& events, std::int64_t spans, std::int64_t steps) {
  Timer& timer = context.timer;
  timer.synchronize();
  const double begin = timer.now_seconds();
  events.mark();
  for (std::int64_t span = 0; span < spans; ++span) {
    for (std::int64_t i = 0; i < steps; ++i) context.step.run();
    events.mark();
  }
  timer.synchronize();
  const double end = timer.now_seconds();
  MarkedWindow window{(end - begin) / static_cast<double>(spans * steps), events.take_seconds()};
  for (double& seconds : window.spans) seconds /= static_cast<double>(steps);
  return window;
}

// Returns how many steps to run between two events, so that the cost of an event on the device is negligible.
std::int64_t choose_event_steps(LoopContext& context) {
  const double step_seconds = stats::median_of(context.out.samples_seconds);
  if (step_seconds >= EventRule::kLeastSeconds) return 1;
  return std::min(static_cast<std::int64_t>(std::ceil(EventRule::kLeastSeconds / step_seconds)),
                  context.out.steps_per_sample);
}

// Returns the seconds per step of PART: the median of as many windows of STEPS steps as its share of the time
// allows.
double time_part(LoopContext& context, Step& part, std::int64_t steps) {
  const double end = context.now_seconds() + InputRule::kShare * context.spec.max_time_seconds;
  std::vector<double> seconds;
  do {
    seconds.push_back(time_window(part, context.timer, steps).seconds / static_cast<double>(steps));
  } while (std::ssize(seconds) < InputRule::kLeastWindows ||
           (context.now_seconds() < end && std::ssize(seconds) < InputRule::kMostWindows));
  return stats::median_of(seconds);
}

}  // namespace

void measure_step_parts(LoopContext& context, Step& step) {
  Timer& timer = context.timer;
  ClockMarks readings(timer);
  EventClock* marks = timer.asynchronous() ? timer.events() : &readings;
  if (marks == nullptr) return;
  const std::optional<schema::EventCheck>& check = context.out.event_check;
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
  if (runs_forwards(spans) && is_near(by_marks, by_clock, PartsRule::kTolerance) &&
      is_near(sum, step_seconds, PartsRule::kStepTolerance))
    context.out.step_parts = parts;
}

void measure_enqueue(LoopContext& context, Step& step) {
  if (!context.timer.asynchronous()) return;
  constexpr std::int64_t kWindows = 5;
  std::vector<double> seconds;
  for (std::int64_t i = std::min(kWindows, context.work.max_batches.value_or(kWindows)); i > 0; --i)
    seconds.push_back(time_window(step, context.timer, 1).enqueue_seconds);
  context.out.enqueue_seconds = stats::median_of(seconds);
}

void measure_events(LoopContext& context) {
  EventClock* events = context.timer.events();
  if (events == nullptr) return;
  const double end = context.now_seconds() + EventRule::kShare * context.spec.max_time_seconds;
  const std::int64_t steps = choose_event_steps(context);
  const std::int64_t spans = std::min(context.out.steps_per_sample / steps, EventRule::kMostSamples);
  std::vector<double> by_clock;
  std::vector<double> by_events;
  std::vector<double> samples;
  do {
    const MarkedWindow window = time_marked_window(context, *events, spans, steps);
    by_clock.push_back(window.by_clock);
    by_events.push_back(std::accumulate(window.spans.begin(), window.spans.end(), 0.0) / static_cast<double>(spans));
    samples.insert(samples.end(), window.spans.begin(), window.spans.end());
  } while (context.now_seconds() < end && static_cast<std::int64_t>(samples.size()) + spans <= EventRule::kMostSamples);

  schema::EventCheck check;
  check.clock_step_seconds = stats::median_of(by_clock);
  check.event_step_seconds = stats::median_of(by_events);
  check.agrees =
      runs_forwards(samples) && is_near(check.event_step_seconds, check.clock_step_seconds, EventRule::kTolerance);
  context.out.event_check = check;
  if (!check.agrees) return;
  context.out.event_samples_seconds = std::move(samples);
  context.out.event_steps_per_sample = steps;
}

void measure_input(LoopContext& context, const InputParts& parts) {
  const std::int64_t most = context.work.max_batches.value_or(InputRule::kMostSteps);
  const std::int64_t steps = std::min({context.out.steps_per_sample, InputRule::kMostSteps, most});
  schema::InputTimes times;
  times.resident_step_seconds = time_part(context, *parts.resident, steps);
  (void)time_window(*parts.feed, context.timer, InputRule::kReadyBatches);
  times.feed_seconds = time_part(context, *parts.feed, std::max(steps, InputRule::kReadyBatches));
  context.out.input_times = times;
}

}  // namespace mpsbench::measure
