// Reads reports that the user names.
#pragma once

#include "schema/report.hpp"

#include <string>

namespace mpsbench::run {

// Throws Error(usage) if FILE is the journal of an unfinished run, so there is no report yet.
void refuse_journal(const std::string& file);

// Throws Error(usage) if FILE is a journal or not a report.
[[nodiscard]] schema::Report read_report_file(const std::string& file);

}  // namespace mpsbench::run
