// The parts of a page that need no script: real tables, and what is known of each machine and case.
#pragma once

#include "output/page/page_answers.hpp"
#include "output/page/page_reports.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace mpsbench::output {

// Returns the anchor of the case at this position of PageReports::cases: "c12".
[[nodiscard]] std::string case_anchor(std::size_t position);

// Returns what the first picture shows, as a table: the verdicts, speeds against the usual reference or, if
// there are none, rows a second. The script draws the picture in its place.
[[nodiscard]] std::string first_table(const PageReports& page, const std::vector<PageReference>& references);
// Returns one table per report, with a row per case.
[[nodiscard]] std::string case_tables(const PageReports& page);
// Returns a closed part per case, which says in words what is doubtful about it; the script adds the rest.
[[nodiscard]] std::string case_details(const PageReports& page);
// Returns a list of facts for each report.
[[nodiscard]] std::string host_lists(const PageReports& page);

}  // namespace mpsbench::output
