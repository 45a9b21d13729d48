// Matrices -> the plan of cases of a run.
#pragma once

#include "schema/report.hpp"
#include "suite/catalog.hpp"
#include "suite/resolve.hpp"

#include <map>
#include <string>
#include <vector>

namespace mpsbench::suite {

// A point whose batch is to be found by trying; it can be planned with the definition's own.
struct OpenCase {
  Settings settings;
  MatrixPoint point;
  model::Definition definition;
  std::string id;  // ".../bmax/..."

  // The case with this batch. Throws Error(usage) where it cannot be planned.
  [[nodiscard]] schema::PlannedCase at_batch(std::int64_t batch_size, const Host& host) const;
  // Where the search begins: at the network's own batch, or at one row where that is more than a data set
  // has.
  [[nodiscard]] schema::PlannedCase first(const Host& host) const;
};

struct PlannedCases {
  std::vector<schema::PlannedCase> cases;
  std::vector<OpenCase> open;
  std::map<std::string, nlohmann::json> definitions;  // by definition_sha256
};

// Every point of every matrix, in the order written, less what --filter leaves out. Throws Error(usage): a
// case that stands twice, nothing left, too many, or --dump-first-step for more than one case. On a device
// that cannot be measured here no batch is looked for: the case stands in the plan with the definition's own.
[[nodiscard]] PlannedCases plan_cases(const std::vector<Settings>& matrices, const Catalog& catalog,
                                      const Host& host);

}  // namespace mpsbench::suite
