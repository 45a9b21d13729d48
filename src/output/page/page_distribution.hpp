// How the samples of a case's launches are distributed: a histogram a launch, all on one axis.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace mpsbench::output {

struct NumberedSamples {
  std::string name;                 // of the launch
  std::span<const double> seconds;  // in any order
};

// SVG; empty where LAUNCHES has no sample. WHAT is the axis's title: "time a step".
[[nodiscard]] std::string distribution_chart(const std::vector<NumberedSamples>& launches,
                                             const std::string& what);

}  // namespace mpsbench::output
