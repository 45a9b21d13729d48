#include "run/places.hpp"

#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "report/host/privacy.hpp"

#include <system_error>

namespace mpsbench::run {
namespace {

namespace fs = std::filesystem;

// Turns STEM.json into STEM followed by ENDING.
fs::path beside(fs::path report, const char* ending) {
  if (report.extension() == ".json") report.replace_extension();
  report += ending;
  return report;
}

void require_dump_place(const schema::PlannedCase& planned, const fs::path& report, bool is_versus) {
  if (!planned.dump_first_step_path) return;
  if (is_versus)
    throw base::usage_error(
        "--dump-first-step: cannot be used with --versus, whose worker would write to the same file");
  const fs::path dump = report::expand_home(*planned.dump_first_step_path);
  if (dump == fs::absolute(report).lexically_normal())
    throw base::usage_error("--dump-first-step: " + dump.string() + " is the report's file; choose another");
  require_place(dump, "--dump-first-step");
}

}  // namespace

fs::path journal_path(const fs::path& report) {
  return beside(report, ".jsonl");
}

fs::path versus_path(const fs::path& report) {
  return beside(report, "-versus.json");
}

std::vector<fs::path> report_places(const fs::path& report, bool is_versus) {
  return is_versus ? std::vector<fs::path>{report, versus_path(report)} : std::vector<fs::path>{report};
}

void require_place(const fs::path& path, const std::string& option) {
  std::error_code error;
  if (!path.has_filename() || (fs::exists(path, error) && !fs::is_regular_file(path, error))) {
    throw base::usage_error(option + ": " + path.string() + " is not a regular file; choose another place");
  }
  base::require_writable_place(path, option);
}

void require_places(const schema::RunRecord& record, const fs::path& report, bool is_named) {
  if (report.extension() == ".jsonl") {
    throw base::usage_error("--export-json: " + report.string() +
                            " would be the journal's name; choose a name that ends with .json");
  }
  const bool is_versus = record.run.purpose == schema::Purpose::versus;
  for (const schema::PlannedCase& planned : record.run.planned)
    require_dump_place(planned, report, is_versus);
  // This makes the folder, so it comes after the other checks.
  for (const fs::path& place : report_places(report, is_versus)) require_place(place, "--export-json");
  for (const fs::path& place : report_places(report, is_versus)) {
    const fs::path journal = journal_path(place);
    if (is_named && fs::exists(journal))
      throw base::usage_error(
          journal.string() +
          ": this is the journal of an unfinished run; continue it with --resume, or delete it");
  }
}

}  // namespace mpsbench::run
