// How the samples of a case's launches are distributed: one histogram per launch, all on one axis.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace mpsbench::output {

struct NumberedSamples {
  std::string name;                 // the launch's name
  std::span<const double> seconds;  // in any order
};

// Returns the chart as SVG, or an empty text if LAUNCHES has no samples. WHAT is the axis's title, such as
// "time per step".
[[nodiscard]] std::string distribution_chart(const std::vector<NumberedSamples>& launches,
                                             const std::string& what);

}  // namespace mpsbench::output
