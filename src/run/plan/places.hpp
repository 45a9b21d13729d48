// Where a run's files are, and how reports that the user names are read.
#pragma once

#include "report/compare/compared_report.hpp"
#include "run/plan/options.hpp"
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
[[nodiscard]] std::vector<std::filesystem::path> report_places(const std::filesystem::path& report, bool is_versus);

// Checks that a file can be written at PATH, which the user gave with OPTION, and makes its folder. Throws
// Error(usage) if it cannot be written, if PATH is no regular file, unless OPTION is --output, or if it
// begins with two dashes, because then the next option was taken for it.
void require_place(const std::filesystem::path& path, const std::string& option);

// Renames the file at REPORT, if there is one, to REPORT.1 or to the next number that is free, and says so.
// Throws Error(usage) if it cannot.
void keep_earlier(const std::filesystem::path& report);

// To find out whether a file can be written, its folder is made; without_traces removes it again.
enum class FolderCheck { makes_folders, without_traces };

// Checks the files that a run of RECORD writes, like require_place(). IS_NAMED: the user chose REPORT; then
// no journal may exist there yet.
void require_places(const schema::RunRecord& record, const std::filesystem::path& report, bool is_named,
                    FolderCheck folders = FolderCheck::makes_folders);

// Checks that the files of --output can be written and that none is another file of a run of RECORD. Throws
// Error(usage).
void require_outputs(const schema::RunRecord& record, const std::filesystem::path& report, const Options& options,
                     FolderCheck folders = FolderCheck::makes_folders);

// Read a report that the user names. Both take what follows from the samples where the file says something else. The
// first warns of that, the second counts the cases. Both ignore keys that this version does not know: the first warns
// of them once, the second sets REMARK to the words, since several threads may read. They throw Error(usage) if FILE is
// not a report. If it is a journal, suite or model, the message says so, and what to do with it.
[[nodiscard]] schema::Report read_report_file(const std::string& file);
[[nodiscard]] report::ComparedReport read_compared_file(const std::string& file, std::string& remark);

// The same without a change: throws Error(usage) for keys that this version does not know, too.
[[nodiscard]] schema::Report read_own_report(const std::string& file);

enum class Writes { text, report, tensors };

// Throws Error(usage) if PATH, given with OPTION, is a report, a journal, a suite, a model or no text, such as weights,
// which writing there would destroy. A report may replace a report, and tensors may replace tensors.
void refuse_document(const std::filesystem::path& path, const std::string& option, Writes writes);

}  // namespace mpsbench::run
