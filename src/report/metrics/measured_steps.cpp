#include "report/metrics/measured_steps.hpp"

#include "stats/summary.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

namespace mpsbench::report {
namespace {

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

bool keeps_last(const schema::CaseSpec& spec, const schema::Launch& launch) {
  return spec.last_batch == schema::LastBatch::keep && !launch.epochs.empty();
}

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

double measured_rows(const schema::CaseSpec& spec, const schema::Launch& launch) {
  if (!keeps_last(spec, launch))
    return static_cast<double>(measured_steps(spec, launch)) *
           static_cast<double>(schema::rows_per_step(spec));
  double rows = 0;
  for (const schema::EpochRecord& epoch : launch.epochs) rows += static_cast<double>(epoch.rows);
  return rows;
}

std::optional<double> seconds_per_batch(const schema::CaseSpec& spec, const schema::Launch& launch) {
  const double rows = measured_rows(spec, launch);
  if (!keeps_last(spec, launch) || rows <= 0) return stats::mean(launch.samples_seconds);
  double seconds = 0;
  for (const schema::EpochRecord& epoch : launch.epochs) seconds += epoch.seconds;
  return seconds / rows * static_cast<double>(schema::rows_per_step(spec));
}

}  // namespace mpsbench::report
