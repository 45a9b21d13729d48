#include "measure/events.hpp"

#include "stats/summary.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace mpsbench::measure {
namespace {

// A window's time in seconds per step.
struct MarkedWindow {
  double by_clock = 0;
  std::vector<double> spans;  // between events
};

// Times a window of SPANS spans of STEPS steps each, with an event after each span.
MarkedWindow time_marked_window(LoopContext& context, EventClock& events, std::int64_t spans,
                                std::int64_t steps) {
  Timer& timer = context.timer();
  timer.synchronize();
  const double begin = timer.now_seconds();
  events.mark();
  for (std::int64_t span = 0; span < spans; ++span) {
    for (std::int64_t i = 0; i < steps; ++i) context.step().run();
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
  const double step_seconds = stats::median_of(context.out().samples_seconds);
  if (step_seconds >= EventRule::kLeastSeconds) return 1;
  return std::min(static_cast<std::int64_t>(std::ceil(EventRule::kLeastSeconds / step_seconds)),
                  context.out().steps_per_sample);
}

}  // namespace

void measure_events(LoopContext& context) {
  EventClock* events = context.timer().events();
  if (events == nullptr) return;
  const double end = context.now_seconds() + EventRule::kShare * context.spec().max_time_seconds;
  const std::int64_t steps = choose_event_steps(context);
  const std::int64_t spans = std::min(context.out().steps_per_sample / steps, EventRule::kMostSamples);
  std::vector<double> by_clock;
  std::vector<double> by_events;
  std::vector<double> samples;
  do {
    const MarkedWindow window = time_marked_window(context, *events, spans, steps);
    by_clock.push_back(window.by_clock);
    by_events.push_back(std::accumulate(window.spans.begin(), window.spans.end(), 0.0) /
                        static_cast<double>(spans));
    samples.insert(samples.end(), window.spans.begin(), window.spans.end());
  } while (context.now_seconds() < end &&
           static_cast<std::int64_t>(samples.size()) + spans <= EventRule::kMostSamples);

  schema::EventCheck check;
  check.clock_step_seconds = stats::median_of(by_clock);
  check.event_step_seconds = stats::median_of(by_events);
  const bool forwards =
      std::all_of(samples.begin(), samples.end(), [](double seconds) { return seconds >= 0; });
  const bool same = std::abs(check.event_step_seconds - check.clock_step_seconds) <=
                    EventRule::kTolerance * check.clock_step_seconds;
  check.agrees = forwards && same;
  context.out().event_check = check;
  if (!check.agrees) return;
  context.out().event_samples_seconds = std::move(samples);
  context.out().event_steps_per_sample = steps;
}

}  // namespace mpsbench::measure
