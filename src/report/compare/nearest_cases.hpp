// Of two reports that share no case, the two cases that differ least.
#pragma once

#include "report/compare/compared_report.hpp"

#include <optional>
#include <string>
#include <vector>

namespace mpsbench::report {

struct NearestCases {
  const ComparedCase* one = nullptr;
  const ComparedCase* other = nullptr;
  // What differs, the most important first: "batch size 64 and 8", "epochs 1 and none". Own options and
  // devices do not count.
  std::vector<std::string> differences;
};

// Returns nullopt if a report has no case.
[[nodiscard]] std::optional<NearestCases> nearest_cases(const ComparedReport& one,
                                                        const ComparedReport& other);

}  // namespace mpsbench::report
