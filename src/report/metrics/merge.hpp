// Merges reports of one machine and build as if one run had made them.
#pragma once

#include "schema/report.hpp"

#include <string>
#include <vector>

namespace mpsbench::report {

struct NamedReport {
  std::string file;  // for messages
  schema::Report report;
};

// Joins the runs of REPORTS (at least one) in the order in which they started. A case in several reports gets
// all their launches and planned repeats, and the larger time limits. assemble() then computes its figures
// anew. Throws Error(not_comparable), which names the file and the difference, if the tool, the host,
// LibTorch or the work of cases with the same id differ. Throws Error(usage) if two reports contain the same
// launch.
[[nodiscard]] schema::RunRecord merge(std::vector<NamedReport> reports);

}  // namespace mpsbench::report
