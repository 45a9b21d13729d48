#include "report/metrics/measured_steps.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

namespace mpsbench::report {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

}  // namespace

std::int64_t measured_steps(const schema::CaseSpec& spec, const schema::Launch& launch) {
  std::int64_t steps = 0;
  for (const schema::EpochRecord& epoch : launch.epochs) steps += std::min(epoch.steps, kMost - steps);
  if (steps > 0) return steps;
  if (launch.loop_seconds && spec.iterations) return *spec.iterations;
  const std::int64_t samples = std::ssize(launch.samples_seconds);
  if (samples == 0) return 0;
  steps = launch.steps_per_sample > kMost / samples ? kMost : samples * launch.steps_per_sample;
  return std::min(steps, spec.max_batches.value_or(steps));
}

}  // namespace mpsbench::report
