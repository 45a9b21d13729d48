// What a reader of a figure should know about it: a closed set of flags, each with one documented threshold.
#pragma once

#include "schema/report.hpp"

#include <string>
#include <vector>

namespace mpsbench::report {

inline constexpr double kNoisyHalfWidth = 0.05;           // of the median
inline constexpr double kDriftChange = 0.05;              // of the median
inline constexpr double kBackgroundCpuShare = 0.05;       // of all logical cores
inline constexpr double kBackgroundGpuShare = 0.05;       // of the GPU's time
inline constexpr double kFairThermalState = 1;            // of macOS, which slows the machine down above
inline constexpr double kLaunchBoundShare = 0.8;          // of a step's time, to queue it
inline constexpr double kInputBoundShare = 0.1;           // of a step's time, waiting for its batch
inline constexpr double kGuessing = 1.5;                  // times the accuracy of a guess
inline constexpr std::int64_t kLeastValidationRows = 50;  // fewer say nothing about learning
inline constexpr std::int64_t kFewSamples = 10;           // samples of a launch

struct FlagRow {
  std::string name;
  std::string rule;  // one sentence for docs/report.md, threshold included
};

// All flags, in the order in which a case shows them.
[[nodiscard]] std::vector<FlagRow> flag_rows();
// The same as a Markdown table, as it stands in docs/report.md below the line "<!-- flags -->".
[[nodiscard]] std::string flag_table();

// Whether the machine was slowed down while LAUNCH was measured, by what its sensors said.
[[nodiscard]] bool is_throttled(const schema::Launch& launch);

// The flags that RESULT raises; its status, launches and metrics are final. PLANNED_LAUNCHES: as --repeats
// asked.
[[nodiscard]] std::vector<std::string> flags_of(const schema::CaseResult& result,
                                                std::int64_t planned_launches, const schema::HostInfo& host);

}  // namespace mpsbench::report
