// Flags say what is doubtful about a case's figures. They are a closed set, each with one documented threshold.
#pragma once

#include "schema/report.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace mpsbench::report {

inline constexpr double kNoisyHalfWidth = 0.05;            // share of the median
inline constexpr double kDriftChange = 0.05;               // share of the median
inline constexpr double kStalledShare = 0.1;               // of the median step, between it and the mean
inline constexpr double kPlausibleEfficiency = 1.1;        // of scaling
inline constexpr double kFairThermalState = 1;             // of macOS; above it, macOS slows the machine down
inline constexpr double kLaunchBoundShare = 0.8;           // share of a step's time spent queueing it
inline constexpr double kInputBoundShare = 0.1;            // share of a step's time spent waiting for its batch
inline constexpr std::size_t kLeastStragglerLaunches = 3;  // each launch has a slowest rank
inline constexpr double kStragglerExcess = 0.02;           // share of the other ranks' median compute step
inline constexpr double kGuessing = 1.5;                   // times the accuracy of guessing
inline constexpr std::int64_t kLeastValidationRows = 50;   // fewer rows say nothing about learning
inline constexpr std::int64_t kFewSamples = 10;            // a launch with fewer samples is flagged

struct FlagRow {
  std::string name;
  std::string rule;  // one sentence for docs/report.md, threshold included
};

// In the order in which a case shows them.
[[nodiscard]] std::vector<FlagRow> flag_rows();
// The same as the Markdown table that docs/report.md contains below the line "<!-- flags -->".
[[nodiscard]] std::string flag_table();

// Whether the interval of TIME is wider than kNoisyHalfWidth.
[[nodiscard]] bool is_wide(const schema::TimeMetrics& time);
// Whether the sensors of LAUNCH say that the machine was slowed down while it was measured.
[[nodiscard]] bool is_throttled(const schema::Launch& launch);
// Whether a CPU quota did that.
[[nodiscard]] bool was_paused_by_quota(const schema::Launch& launch);

// Whether PYTORCH_ENABLE_MPS_FALLBACK let the CPU run operators that MPS lacks.
[[nodiscard]] bool is_cpu_fallback_on(const schema::HostInfo& host);

// The flags of RESULT, whose status, launches and metrics are final. PLANNED_LAUNCHES: as --repeats asked for.
[[nodiscard]] std::vector<std::string> flags_of(const schema::CaseResult& result, std::int64_t planned_launches,
                                                const schema::HostInfo& host);

}  // namespace mpsbench::report
