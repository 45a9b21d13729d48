// Whether two reports may be compared, and what a reader should know who does.
#pragma once

#include "report/compare/compared_report.hpp"

#include <string>
#include <vector>

namespace mpsbench::report {

struct Comparability {
  std::vector<std::string> obstacles;  // unlike work, precisions or clocks: no verdict means anything
  std::vector<std::string> caveats;    // one line each
};

// The same machine by name, CPU and system, and the same hardware behind each device that both measured; at
// least one device in common.
[[nodiscard]] bool same_machine(const ComparedReport& before, const ComparedReport& after);

// For the gate's view: cases of one id must be the same work.
[[nodiscard]] Comparability comparability(const ComparedReport& before, const ComparedReport& after);

// For the machines' view: cases of one id but for the device must be, and machines may differ in all else.
// Each report is held against the first that is not published. Published work cannot be held against a
// definition, so that it is the same by its id alone is a caveat.
[[nodiscard]] Comparability comparability(const std::vector<ComparedReport>& reports);

}  // namespace mpsbench::report
