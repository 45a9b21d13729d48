#include "measure/events.hpp"

#include "stats/summary.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace mpsbench::measure {
namespace {

using Rule = EventRule;

struct MarkedWindow {
  double seconds = 0;         // by the reference clock
  std::vector<double> steps;  // by events
};

MarkedWindow time_marked_window(Session& session, EventClock& events, std::int64_t steps) {
  Timer& timer = session.timer();
  timer.synchronize();
  const double begin = timer.now_seconds();
  events.mark();
  for (std::int64_t i = 0; i < steps; ++i) {
    session.step().run();
    events.mark();
  }
  timer.synchronize();
  const double end = timer.now_seconds();
  return {end - begin, events.take_seconds()};
}

}  // namespace

void measure_events(Session& session, std::int64_t steps_per_sample) {
  EventClock* events = session.timer().events();
  if (events == nullptr) return;
  const double end = session.timer().now_seconds() + Rule::kShare * session.spec().max_time_seconds;
  const std::int64_t steps = std::min(steps_per_sample, static_cast<std::int64_t>(Rule::kMostSteps));
  std::vector<double> by_clock;
  std::vector<double> by_events;
  std::vector<double> samples;
  do {
    const MarkedWindow window = time_marked_window(session, *events, steps);
    by_clock.push_back(window.seconds / static_cast<double>(steps));
    by_events.push_back(std::accumulate(window.steps.begin(), window.steps.end(), 0.0) /
                        static_cast<double>(steps));
    samples.insert(samples.end(), window.steps.begin(), window.steps.end());
  } while (session.timer().now_seconds() < end &&
           samples.size() + static_cast<std::size_t>(steps) <= Rule::kMostSteps);

  schema::EventCheck check;
  check.clock_step_seconds = stats::median_of(by_clock);
  check.event_step_seconds = stats::median_of(by_events);
  const bool forwards =
      std::all_of(samples.begin(), samples.end(), [](double seconds) { return seconds >= 0; });
  const bool same = std::abs(check.event_step_seconds - check.clock_step_seconds) <=
                    Rule::kTolerance * check.clock_step_seconds;
  check.agrees = forwards && same;
  session.out().event_check = check;
  if (check.agrees) session.out().event_samples_seconds = std::move(samples);
}

}  // namespace mpsbench::measure
