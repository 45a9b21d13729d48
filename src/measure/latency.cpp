#include "measure/latency.hpp"

#include "measure/stopping.hpp"

namespace mpsbench::measure {

void measure_latency(LoopContext& context) {
  std::vector<double>& samples = context.out().latency_samples_seconds;
  samples.reserve(static_cast<std::size_t>(kMostSamples));
  StoppingRule rule{context.spec(), context.deadline_seconds(), context.work().max_batches};
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
