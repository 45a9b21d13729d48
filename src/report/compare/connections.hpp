// How the connections of several processes differ between two reports.
#pragma once

#include "report/compare/changed_work.hpp"
#include "report/compare/compared_report.hpp"

#include <string>
#include <vector>

namespace mpsbench::report {

// Adds a line for the paths between the GPUs and one for the network, if they differ and both reports have
// cases of several processes that use them. Nothing is said if neither report knows them.
void check_connections(const ComparedReport& before, const ComparedReport& after, const SideNames& sides,
                       std::vector<std::string>& lines);

}  // namespace mpsbench::report
