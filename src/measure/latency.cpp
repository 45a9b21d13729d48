#include "measure/latency.hpp"

#include "measure/stopping.hpp"

namespace mpsbench::measure {

void measure_latency(Session& session) {
  std::vector<double>& samples = session.out().latency_samples_seconds;
  samples.reserve(static_cast<std::size_t>(kMostSamples));
  StoppingRule rule{session.spec(), session.deadline_seconds(), session.work().max_batches};
  Taken taken;
  do {
    const Window window = session.run_sample_window(1, samples);
    taken.samples = samples;
    taken.timed_seconds += window.seconds;
    ++taken.steps;
    taken.now_seconds = window.end_seconds;
  } while (!rule.stops(taken));
}

}  // namespace mpsbench::measure
