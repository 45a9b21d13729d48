// Where a run's files are.
#pragma once

#include "schema/report.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace mpsbench::run {

// Returns the path of the journal that belongs to a report's file: STEM.jsonl.
[[nodiscard]] std::filesystem::path journal_path(const std::filesystem::path& report);

// Returns the path of the report of --versus's worker: STEM-versus.json.
[[nodiscard]] std::filesystem::path versus_path(const std::filesystem::path& report);

// Returns the paths of all reports of a run: REPORT and, with --versus, the other worker's.
[[nodiscard]] std::vector<std::filesystem::path> report_places(const std::filesystem::path& report,
                                                               bool is_versus);

// Checks that a file can be written at PATH, which the user gave with OPTION, and makes its folder. Throws
// Error(usage) if it cannot be written or if PATH is something else than a regular file.
void require_place(const std::filesystem::path& path, const std::string& option);

// Checks the same for all files that a run of RECORD writes. IS_NAMED: the user chose REPORT; then no journal
// may exist there yet.
void require_places(const schema::RunRecord& record, const std::filesystem::path& report, bool is_named);

}  // namespace mpsbench::run
