// Whether two reports may be compared, and what readers of the comparison should know.
#pragma once

#include "report/compare/machines.hpp"

#include <string>
#include <vector>

namespace mpsbench::report {

struct Comparability {
  std::vector<std::string> obstacles;  // different work, precisions or clocks: no verdict would mean anything
  std::vector<std::string> caveats;    // one line each
};

// Whether both reports come from one machine: the name, CPU and system are equal, they share at least one
// device, and the hardware behind each shared device is equal.
[[nodiscard]] bool same_machine(const ComparedReport& before, const ComparedReport& after);

// Compares for the gate's view: cases that are paired must do the same work.
[[nodiscard]] Comparability comparability(const ComparedReport& before, const ComparedReport& after);

// Compares for the machines' view: the cases of a row must do the same work; the machines may differ in
// everything else. Compares each case with the row's first one that is not published. Published figures have
// no definition to compare, so for them a caveat says that only the description shows that the work is the
// same.
[[nodiscard]] Comparability comparability(const MachineTable& table);

}  // namespace mpsbench::report
