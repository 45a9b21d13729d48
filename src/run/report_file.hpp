// Reports that the user names.
#pragma once

#include "schema/report.hpp"

#include <string>

namespace mpsbench::run {

// Throws Error(usage) for the journal of a run that has not ended, which is no report yet.
void refuse_journal(const std::string& file);

// Throws Error(usage) for a journal and for a file that is no report.
[[nodiscard]] schema::Report read_report_file(const std::string& file);

}  // namespace mpsbench::run
