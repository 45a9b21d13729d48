#include "run/places.hpp"

#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "base/log.hpp"
#include "report/host/privacy.hpp"

#include <algorithm>
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

// Returns the folders above FILE that do not exist, the innermost first.
std::vector<fs::path> missing_folders(const fs::path& file) {
  std::vector<fs::path> missing;
  std::error_code error;
  fs::path folder = file.parent_path();
  for (; !folder.empty() && !fs::exists(folder, error); folder = folder.parent_path())
    missing.push_back(folder);
  return missing;
}

void prove_place(const fs::path& place, const std::string& option, Proof proof) {
  const std::vector<fs::path> missing = missing_folders(place);
  require_place(place, option);
  if (proof == Proof::makes_folders) return;
  std::error_code ignored;
  for (const fs::path& folder : missing) fs::remove(folder, ignored);
}

void require_dump_place(const schema::PlannedCase& planned, const fs::path& report, bool is_versus,
                        Proof proof) {
  if (!planned.dump_first_step_path) return;
  if (is_versus)
    throw base::usage_error(
        "--dump-first-step: cannot be used with --versus, whose worker would write to the same file");
  const fs::path dump = report::expand_home(*planned.dump_first_step_path);
  if (dump == fs::absolute(report).lexically_normal())
    throw base::usage_error("--dump-first-step: " + dump.string() + " is the report's file; choose another");
  prove_place(dump, "--dump-first-step", proof);
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
  const std::string name = path.string();
  if (name == "-")
    throw base::usage_error(option + ": needs the name of a file; only --output takes - for stdout");
  if (name.starts_with("--"))
    throw base::usage_error(option + ": its value is missing before '" + name +
                            "'; for a file of this name write ./" + name);
  std::error_code error;
  if (!path.has_filename() || (fs::exists(path, error) && !fs::is_regular_file(path, error))) {
    throw base::usage_error(option + ": " + path.string() + " is not a regular file; choose another place");
  }
  base::require_writable_place(path, option);
}

void require_places(const schema::RunRecord& record, const fs::path& report, bool is_named, Proof proof) {
  if (report.extension() == ".jsonl") {
    throw base::usage_error("--export-json: " + report.string() +
                            " would be the journal's name; choose a name that ends with .json");
  }
  const bool is_versus = record.run.purpose == schema::Purpose::versus;
  for (const schema::PlannedCase& planned : record.run.planned)
    require_dump_place(planned, report, is_versus, proof);
  // This may make the folder, so it comes after the other checks.
  for (const fs::path& place : report_places(report, is_versus)) prove_place(place, "--export-json", proof);
  for (const fs::path& place : report_places(report, is_versus)) {
    const fs::path journal = journal_path(place);
    if (is_named && fs::exists(journal))
      throw base::usage_error(
          journal.string() +
          ": this is the journal of an unfinished run; continue it with --resume, or delete it");
  }
}

void keep_earlier(const fs::path& report) {
  std::error_code error;
  if (!fs::exists(report, error)) return;
  fs::path kept;
  int number = 0;
  do {
    kept = report.string() + "." + std::to_string(++number);
  } while (fs::exists(fs::symlink_status(kept, error)));
  fs::rename(report, kept, error);
  if (error)
    throw base::usage_error("--export-json: the earlier " + report.string() +
                            " cannot be renamed: " + error.message() + "; choose another place");
  base::log::info(report.string() + " was there before: it is now " + kept.string());
}

bool is_same_place(const fs::path& one, const fs::path& other) {
  // weakly_canonical() leaves a relative path relative if none of it exists.
  return fs::weakly_canonical(fs::absolute(one)) == fs::weakly_canonical(fs::absolute(other));
}

OutputPlaces output_places(const schema::RunRecord& record, const fs::path& report, const Options& options) {
  OutputPlaces places{options.outputs, report, {}};
  if (record.run.purpose == schema::Purpose::versus) places.others.push_back(versus_path(report));
  if (!options.baseline.empty()) places.others.emplace_back(options.baseline);
  if (record.run.gate && record.run.gate->baseline)  // of a run that is resumed
    places.others.emplace_back(report::expand_home(record.run.gate->baseline->path));
  for (const schema::PlannedCase& planned : record.run.planned) {
    if (planned.dump_first_step_path)
      places.others.emplace_back(report::expand_home(*planned.dump_first_step_path));
  }
  return places;
}

void require_outputs(const OutputPlaces& places, Proof proof) {
  std::vector<fs::path> taken{places.report, journal_path(places.report)};
  taken.insert(taken.end(), places.others.begin(), places.others.end());
  for (const fs::path& output : places.outputs) {
    // keep_earlier() may give this name to an earlier report.
    const bool is_kept_name =
        is_same_place(output.parent_path() / output.stem(), places.report) &&
        output.extension().string().find_first_not_of("0123456789", 1) == std::string::npos;
    const bool is_taken = is_kept_name || std::ranges::any_of(taken, [&](const fs::path& other) {
                            return is_same_place(output, other);
                          });
    if (is_taken)
      throw base::usage_error("--output: " + output.string() +
                              " is another file of this run; choose another place");
  }
  // Check all of them before keeping any created folder.
  for (const fs::path& output : places.outputs) prove_place(output, "--output", Proof::without_traces);
  if (proof == Proof::without_traces) return;
  for (const fs::path& output : places.outputs) require_place(output, "--output");
}

}  // namespace mpsbench::run
