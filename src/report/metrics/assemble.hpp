// Makes the report of a run, finished or not: statuses, metrics, flags, and the reasons for missing values.
#pragma once

#include "schema/report.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace mpsbench::report {

// The cases are in the plan's order, each with the launches it has so far. A case's status is that of its first failed
// launch, otherwise ok. If launches are missing or interrupted, the case is ok if it has a good launch, otherwise
// interrupted. run.status becomes "interrupted" if the user or a signal ended the run early, "partial" if a launch
// failed, and "complete" otherwise. Home folders become "~". Throws Error(usage) if a definition is missing or broken.
[[nodiscard]] schema::Report assemble(const schema::RunRecord& record);

// A stored metric that does not follow from the samples.
struct Unfounded {
  std::size_t number = 0;  // of the case
  std::string key;         // in "metrics": "rows_per_second.value"
  std::string stored;      // as JSON
  std::string computed;    // as JSON; empty: the value has another form
};

// Computes the metrics of REPORT's cases again from their samples, and sets metrics, notes and flags of those
// cases whose stored metrics differ. DOCUMENT is the JSON of REPORT. Returns the first such metric of each of
// these cases. Published cases have no samples and stay as they are; so do cases whose definition is broken.
[[nodiscard]] std::vector<Unfounded> recompute(schema::Report& report, const nlohmann::json& document);

// Merges reports of one machine and build as if one run had made them.

struct NamedReport {
  std::string file;  // for messages
  schema::Report report;
};

// Joins the runs of REPORTS (at least one) in the order in which they started. A case in several reports gets all their
// launches and planned repeats, and the larger time limits. assemble() then computes its figures anew. Throws
// Error(not_comparable), which names the file and the difference, if the tool, the host, LibTorch or the work of cases
// with the same id differ. Throws Error(usage) if two reports contain the same launch.
[[nodiscard]] schema::RunRecord merge(std::vector<NamedReport> reports);

}  // namespace mpsbench::report
