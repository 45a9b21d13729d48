// Matrices -> the plan of cases of a run.
#pragma once

#include "schema/report.hpp"
#include "suite/catalog.hpp"
#include "suite/resolve.hpp"

#include <map>
#include <string>
#include <vector>

namespace mpsbench::suite {

struct CasePlan {
  std::vector<schema::PlannedCase> cases;
  std::map<std::string, nlohmann::json> definitions;  // by definition_sha256
};

// Every point of every matrix, in the order written, less what --filter leaves out. Throws Error(usage): a
// case that stands twice, nothing left, too many, or --dump-first-step for more than one case.
[[nodiscard]] CasePlan plan_cases(const std::vector<Settings>& matrices, const Catalog& catalog,
                                  const Host& host);

}  // namespace mpsbench::suite
