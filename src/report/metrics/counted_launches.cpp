#include "report/metrics/counted_launches.hpp"

#include "schema/launch_part.hpp"
#include "stats/summary.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

namespace mpsbench::report {

namespace {

bool is_disturbed(const schema::Launch* launch) {
  return launch->disturbed.has_value();
}

constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();

}  // namespace

std::vector<const schema::Launch*> counted_launches(std::span<const schema::Launch> launches) {
  std::vector<const schema::Launch*> good = schema::counted(launches);
  keep_counted(good, is_disturbed);
  return good;
}

LaunchCounts launch_counts(std::span<const schema::Launch> launches) {
  const std::vector<const schema::Launch*> good = schema::counted(launches);
  return {.good = good.size(),
          .disturbed = static_cast<std::size_t>(std::ranges::count_if(good, is_disturbed)),
          .counted = counted_launches(launches).size()};
}

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
  if (launch.epochs.empty())
    return static_cast<double>(measured_steps(spec, launch)) * static_cast<double>(schema::rows_per_step(spec));
  double rows = 0;
  for (const schema::EpochRecord& epoch : launch.epochs) rows += static_cast<double>(epoch.rows);
  return rows;
}

std::string rate_kind(const schema::CaseSpec& spec, const std::vector<const schema::Launch*>& launches) {
  const auto all = [&launches](const auto& has) {
    return !launches.empty() && std::ranges::all_of(launches, [&](const auto* one) { return has(*one); });
  };
  if (all([&](const schema::Launch& one) { return !one.epochs.empty() && measured_rows(spec, one) > 0; }))
    return schema::kOfEpochs;
  if (spec.iterations && all([](const schema::Launch& one) { return one.loop_seconds.has_value(); }))
    return schema::kOfLoop;
  return schema::kOfMedianStep;
}

std::optional<double> rows_per_second(const schema::CaseSpec& spec, const schema::Launch& launch) {
  const std::string kind = rate_kind(spec, {&launch});
  double rows = measured_rows(spec, launch);
  double seconds = launch.loop_seconds.value_or(0);
  if (kind == schema::kOfMedianStep) {
    rows = static_cast<double>(schema::rows_per_step(spec));
    seconds = stats::median(launch.samples_seconds).value_or(0);
  } else if (kind == schema::kOfEpochs) {
    seconds = 0;
    for (const schema::EpochRecord& epoch : launch.epochs) seconds += epoch.seconds;
  }
  return seconds > 0 ? std::optional(rows / seconds) : std::nullopt;
}

}  // namespace mpsbench::report
