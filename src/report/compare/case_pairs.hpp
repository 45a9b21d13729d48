// Which cases of two reports of one machine are compared.
#pragma once

#include "report/compare/compared_report.hpp"

#include <vector>

namespace mpsbench::report {

struct CasePair {
  const ComparedCase* before = nullptr;  // null: only in the other report
  const ComparedCase* after = nullptr;
};

// BEFORE's cases, then those only in AFTER. Pairs equal ids, and of the other cases those that are the only
// ones whose ids differ in a machine's own options alone (see without_own_options()).
[[nodiscard]] std::vector<CasePair> case_pairs(const ComparedReport& before, const ComparedReport& after);

}  // namespace mpsbench::report
