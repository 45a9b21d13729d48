// Which launches of a case count: the good ones or, if enough of those were undisturbed, only these.
#pragma once

#include "schema/case_spec.hpp"
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

// Leaves of GOOD launches those that count. IS_DISTURBED tells it of one.
template <typename Launch, typename IsDisturbed>
void keep_counted(std::vector<Launch>& good, const IsDisturbed& is_disturbed) {
  if (std::ranges::count_if(good, std::not_fn(is_disturbed)) >= kLeastUndisturbed) std::erase_if(good, is_disturbed);
}

// Returns the launches from which the figures and flags of their case come.
[[nodiscard]] std::vector<const schema::Launch*> counted_launches(std::span<const schema::Launch> launches);

// How many good launches a case has, and how many of them were disturbed and count.
struct LaunchCounts {
  std::size_t good = 0;
  std::size_t disturbed = 0;
  std::size_t counted = 0;
};
[[nodiscard]] LaunchCounts launch_counts(std::span<const schema::Launch> launches);

// How many steps and rows a launch timed.

// Returns the steps of the launch's epochs if it has any, otherwise of its loop, otherwise of its windows.
// The last window is shorter if max_batches ends it. Strangers' files may contain any numbers, so the sum
// stops at the largest integer.
[[nodiscard]] std::int64_t measured_steps(const schema::CaseSpec& spec, const schema::Launch& launch);

// The rows of these steps. An epoch has those of the data set, even if its last batch is filled up with
// others.
[[nodiscard]] double measured_rows(const schema::CaseSpec& spec, const schema::Launch& launch);

// Returns what the rate of LAUNCHES is of: schema::kOfEpochs or kOfLoop if each measured epochs or its loop
// as a whole, otherwise kOfMedianStep.
[[nodiscard]] std::string rate_kind(const schema::CaseSpec& spec, const std::vector<const schema::Launch*>& launches);

// The launch's rows per second, by its rate_kind(); null if it timed nothing.
[[nodiscard]] std::optional<double> rows_per_second(const schema::CaseSpec& spec, const schema::Launch& launch);

}  // namespace mpsbench::report
