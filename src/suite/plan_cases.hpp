// Turns matrices into the plan of a run's cases.
#pragma once

#include "schema/report.hpp"
#include "suite/catalog.hpp"
#include "suite/resolve.hpp"

#include <map>
#include <string>
#include <vector>

namespace mpsbench::suite {

// A point whose batch size must be found by trying. It can be planned with the definition's own batch size.
struct OpenCase {
  Settings settings;
  MatrixPoint point;
  model::Definition definition;
  SearchedBatch searched;
  std::string id;  // ".../bmax/..." or ".../bbest/..."

  // Returns the case at this batch size. Throws Error(usage) if it cannot be planned.
  [[nodiscard]] schema::PlannedCase at_batch(std::int64_t batch_size, const Host& host) const;
  // Returns the case with the network's own batch size, or one row if that size is more than the data set has.
  [[nodiscard]] schema::PlannedCase first(const Host& host) const;
};

struct PlannedCases {
  std::vector<schema::PlannedCase> cases;
  std::vector<OpenCase> open;
  std::map<std::string, nlohmann::json> definitions;  // by definition_sha256
};

// Returns every point of every matrix, in the order written, without those that --filter excludes. Throws
// Error(usage) if a case appears twice, if none is left, if there are too many, or if --dump-first-step has
// more than one case. If a device cannot be used here, no batch size is searched for on it: the plan then
// has the case with the definition's own batch size.
[[nodiscard]] PlannedCases plan_cases(const std::vector<Settings>& matrices, const Catalog& catalog, const Host& host);

}  // namespace mpsbench::suite
