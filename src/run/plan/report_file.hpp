// Reads reports that the user names.
#pragma once

#include "report/compare/compared_report.hpp"
#include "schema/report.hpp"

#include <filesystem>
#include <string>

namespace mpsbench::run {

// Both take what follows from the samples where the file says something else. The first warns of that, the
// second counts the cases. Both ignore keys that this version does not know: the first warns of them once,
// the second sets REMARK to the words, since several threads may read. They throw Error(usage) if FILE is not
// a report. If it is a journal, suite or model, the message says so, and what to do with it.
[[nodiscard]] schema::Report read_report_file(const std::string& file);
[[nodiscard]] report::ComparedReport read_compared_file(const std::string& file, std::string& remark);

// The same without a change: throws Error(usage) for keys that this version does not know, too.
[[nodiscard]] schema::Report read_own_report(const std::string& file);

enum class Writes { text, report, tensors };

// Throws Error(usage) if PATH, given with OPTION, is a report, a journal, a suite, a model or no text, such
// as weights, which writing there would destroy. A report may replace a report, and tensors may replace
// tensors.
void refuse_document(const std::filesystem::path& path, const std::string& option, Writes writes);

}  // namespace mpsbench::run
