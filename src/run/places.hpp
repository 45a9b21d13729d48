// Where a run's files stand.
#pragma once

#include "schema/report.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace mpsbench::run {

// The journal that belongs to a report's file: STEM.jsonl.
[[nodiscard]] std::filesystem::path journal_path(const std::filesystem::path& report);

// Where the report of --versus's worker stands: STEM-versus.json.
[[nodiscard]] std::filesystem::path versus_path(const std::filesystem::path& report);

// Of the run's REPORT alone, or of --versus's too.
[[nodiscard]] std::vector<std::filesystem::path> report_places(const std::filesystem::path& report,
                                                               bool is_versus);

// Proves that a file can be written at PATH, which the user gave by OPTION, and makes its folder. Throws
// Error(usage), also where something that is no regular file is in the way.
void require_place(const std::filesystem::path& path, const std::string& option);

// The same of all that a run of RECORD writes. IS_NAMED: the user chose the place, where no journal may
// stand yet.
void require_places(const schema::RunRecord& record, const std::filesystem::path& report, bool is_named);

}  // namespace mpsbench::run
