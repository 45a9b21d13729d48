// The names of reports that tell them apart.
#pragma once

#include "report/compare/compared_report.hpp"

#include <map>
#include <string>
#include <vector>

namespace mpsbench::report {

// Returns the name of each report's host. Several runs of one host also have what tells them apart: their
// dates, otherwise their commits, otherwise their files: "epyc-9, 2026-11-22".
[[nodiscard]] std::map<const ComparedReport*, std::string> report_names(
    const std::vector<const ComparedReport*>& reports);

}  // namespace mpsbench::report
