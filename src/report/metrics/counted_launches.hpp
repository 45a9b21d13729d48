// Which launches of a case count, and what each of them shows by itself. The good ones count or, if enough of
// those were undisturbed, only these.
#pragma once

#include "schema/case_spec.hpp"
#include "schema/gate.hpp"
#include "schema/launch.hpp"
#include "schema/metrics.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mpsbench::report {

// Fewer launches do not stand for a case.
inline constexpr std::ptrdiff_t kLeastUndisturbed = 3;

// Leaves of GOOD launches those that count.
template <typename Launch, typename IsDisturbed>
void keep_counted(std::vector<Launch>& good, const IsDisturbed& is_disturbed) {
  if (std::ranges::count_if(good, std::not_fn(is_disturbed)) >= kLeastUndisturbed) std::erase_if(good, is_disturbed);
}

[[nodiscard]] std::vector<const schema::Launch*> counted_launches(std::span<const schema::Launch> launches);

// How many good launches a case has, and how many of them were disturbed and count.
struct LaunchCounts {
  std::size_t good = 0;
  std::size_t disturbed = 0;
  std::size_t counted = 0;
};
[[nodiscard]] LaunchCounts launch_counts(std::span<const schema::Launch> launches);

// The steps that a launch timed: of its epochs if it has any, otherwise of its loop, otherwise of its windows, of which
// max_batches may shorten the last. Strangers' files may contain any numbers, so the sum stops at the largest integer.
[[nodiscard]] std::int64_t measured_steps(const schema::CaseSpec& spec, const schema::Launch& launch);

// The rows of these steps. An epoch has those of the data set, even if its last batch is filled up with others.
[[nodiscard]] double measured_rows(const schema::CaseSpec& spec, const schema::Launch& launch);

// What the rate of LAUNCHES is of: kOfEpochs or kOfLoop if each measured epochs or its loop as a whole,
// otherwise kOfMedianStep.
[[nodiscard]] std::string rate_kind(const schema::CaseSpec& spec, const std::vector<const schema::Launch*>& launches);

// By rate_kind(); null if it timed nothing.
[[nodiscard]] std::optional<double> rows_per_second(const schema::CaseSpec& spec, const schema::Launch& launch);

inline constexpr std::int64_t kLeakBytes = 1 << 20;  // growth in each of the last three quarters

// The growth over the second half of the launch, when its allocator is warm; nullopt for too few readings.
[[nodiscard]] std::optional<double> live_bytes_per_step(const schema::Launch& launch);

// Whether live memory grew by more than kLeakBytes in the second, the third and the fourth quarter. An
// allocator that is only warming up stops growing.
[[nodiscard]] bool is_leaking(const schema::Launch& launch);

// The peak of the memory that limits OF, a launch or the metrics of a case: the device's if it has its own,
// otherwise the host's.
template <typename T>
[[nodiscard]] std::optional<std::int64_t> peak_bytes(const T& of) {
  return of.peak_device_bytes ? of.peak_device_bytes : of.peak_resident_bytes;
}

// The value of one launch for a metric that a gate can judge.
struct LaunchValue {
  std::optional<double> value;  // above 0, in the unit of the report's metric
  std::string why_missing;      // and what to do about it
};

// The median time of a step, the 99th percentile of its latency, the median time to the first token, the peak memory,
// or the energy per row. Reads of SPEC only mode, device, batch size, iterations and max_batches.
[[nodiscard]] LaunchValue launch_value(schema::GatedMetric metric, const schema::CaseSpec& spec,
                                       const schema::Launch& launch);

}  // namespace mpsbench::report
