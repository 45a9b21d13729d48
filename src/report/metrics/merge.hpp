// Reports of one machine and build as if one run had made them.
#pragma once

#include "schema/report.hpp"

#include <string>
#include <vector>

namespace mpsbench::report {

struct NamedReport {
  std::string file;  // for messages
  schema::Report report;
};

// The runs of REPORTS, at least one, in the order in which they began. A case of several reports gets all
// their launches and planned repeats, and the larger time limits. Figures are for assemble() to work out
// anew. Throws Error(not_comparable), which names the file and what differs, where tool, host, LibTorch or
// what a case of one id runs is another, and Error(usage) for a launch that two reports hold.
[[nodiscard]] schema::RunRecord merge(std::vector<NamedReport> reports);

}  // namespace mpsbench::report
