#include "run/plan/places.hpp"

#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "base/json_file.hpp"
#include "base/json_reader.hpp"
#include "base/log.hpp"
#include "base/place.hpp"
#include "base/units.hpp"
#include "report/host/privacy.hpp"
#include "report/metrics/assemble.hpp"
#include "supervise/journal.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <system_error>

namespace mpsbench::run {

namespace {

namespace fs = std::filesystem;

constexpr const char* kOutput = "--output";
constexpr const char* kExportJson = "--export-json";

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
  for (; !folder.empty() && !fs::exists(folder, error); folder = folder.parent_path()) missing.push_back(folder);
  return missing;
}

void check_place(const fs::path& place, const std::string& option, FolderCheck folders) {
  const std::vector<fs::path> missing = missing_folders(place);
  require_place(place, option);
  if (folders == FolderCheck::makes_folders) return;
  std::error_code ignored;
  for (const fs::path& folder : missing) fs::remove(folder, ignored);
}

// The files that a run of RECORD reads, but for suites and definitions.
std::vector<fs::path> files_read(const schema::RunRecord& record) {
  std::vector<fs::path> files;
  if (record.run.gate && record.run.gate->baseline)
    files.push_back(report::expand_home(record.run.gate->baseline->path));
  for (const schema::PlannedCase& planned : record.run.planned) {
    for (const auto& path : {planned.weights_path, planned.vocabulary_path}) {
      if (path) files.push_back(report::expand_home(*path));
    }
    const fs::path data = report::expand_home(planned.data_path.value_or(""));
    for (const auto& [name, sha256] : planned.spec.data_files) files.push_back(data / name);
  }
  return files;
}

// Refuses PLACE, which the user gave with OPTION, if a run of RECORD reads it, or if a document would be lost.
void require_no_loss(const fs::path& place, const std::string& option, const schema::RunRecord& record) {
  for (const fs::path& file : files_read(record)) {
    std::error_code error;
    if (fs::exists(file, error) && base::is_same_place(place, file))
      throw base::usage_error(option + ": this run reads " + place.string() + "; choose another place");
  }
  refuse_document(place, option, option == kExportJson ? Writes::report : Writes::tensors);
}

void require_dump_place(const schema::PlannedCase& planned, const fs::path& report, const schema::RunRecord& record,
                        bool is_versus, FolderCheck folders) {
  if (!planned.dump_first_step_path) return;
  if (is_versus)
    throw base::usage_error(
        "--dump-first-step: cannot be used with --versus, whose worker would write to the same file");
  const fs::path dump = report::expand_home(*planned.dump_first_step_path);
  for (const fs::path& own : {report, journal_path(report)}) {
    if (base::is_same_place(dump, own))
      throw base::usage_error("--dump-first-step: " + dump.string() + " is the report's file; choose another");
  }
  require_no_loss(dump, "--dump-first-step", record);
  check_place(dump, "--dump-first-step", folders);
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
  if (name == "-" && option != kOutput)
    throw base::usage_error(option + ": needs the name of a file; only --output takes - for stdout");
  if (name.starts_with("--"))
    throw base::usage_error(option + ": its value is missing before '" + name + "'; for a file of this name write ./" +
                            name);
  base::require_writable_place(path, option);
  if (option == kOutput && path.extension() == ".json") supervise::Journal::require_free(journal_path(path));
  if (option != kOutput && base::place_of(path).kind != base::Place::Kind::file)
    throw base::usage_error(option + ": " + path.string() +
                            " is not a regular file; choose another place (only --output can be a stream)");
}

void require_places(const schema::RunRecord& record, const fs::path& report, bool is_named, FolderCheck folders) {
  if (report.extension() == ".jsonl") {
    throw base::usage_error("--export-json: " + report.string() +
                            " would be the journal's name; choose a name that ends with .json");
  }
  const bool is_versus = record.run.purpose == schema::Purpose::versus;
  for (const schema::PlannedCase& planned : record.run.planned)
    require_dump_place(planned, report, record, is_versus, folders);
  if (is_named) {
    for (const fs::path& place : report_places(report, is_versus)) require_no_loss(place, kExportJson, record);
  }
  // This may make the folder, so it comes after the other checks.
  for (const fs::path& place : report_places(report, is_versus)) check_place(place, kExportJson, folders);
  for (const fs::path& place : report_places(report, is_versus)) {
    if (is_named) supervise::Journal::require_none(journal_path(place));
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
    throw base::usage_error("--export-json: the earlier " + report.string() + " cannot be renamed: " + error.message() +
                            "; choose another place");
  base::log::info(report.string() + " was there before: it is now " + kept.string());
}

void require_outputs(const schema::RunRecord& record, const fs::path& report, const Options& options,
                     FolderCheck folders) {
  std::vector<fs::path> taken = files_read(record);
  taken.insert(taken.end(), {report, journal_path(report)});
  if (record.run.purpose == schema::Purpose::versus) taken.push_back(versus_path(report));
  if (!options.baseline.empty()) taken.emplace_back(options.baseline);
  for (const schema::PlannedCase& planned : record.run.planned) {
    if (planned.dump_first_step_path) taken.emplace_back(report::expand_home(*planned.dump_first_step_path));
  }
  for (const fs::path& output : options.outputs) {
    // keep_earlier() may give this name to an earlier report, which would then be lost.
    const bool is_kept_name = base::is_same_place(output.parent_path() / output.stem(), report) &&
                              output.extension().string().find_first_not_of("0123456789", 1) == std::string::npos;
    const auto is_output = [&](const fs::path& other) { return base::is_same_place(output, other); };
    if (is_kept_name || std::ranges::any_of(taken, is_output))
      throw base::usage_error("--output: " + output.string() + " is another file of this run; choose another place");
  }
  // Check all of them before keeping any created folder.
  for (const fs::path& output : options.outputs) check_place(output, kOutput, FolderCheck::without_traces);
  if (folders == FolderCheck::without_traces) return;
  for (const fs::path& output : options.outputs) require_place(output, kOutput);
}

namespace {

constexpr const char* kReport = "a report";
constexpr const char* kBinary = "not a text file";

void refuse_journal(const std::string& file) {
  if (!supervise::Journal::is_journal(file)) return;
  supervise::Journal::require_free(file);
  throw base::usage_error(file + ": this is the journal of an unfinished run; finish it with mpsbench run --resume " +
                          file + ", then use its report");
}

// The file's content, or null if it cannot be read or is larger than suites and models are.
nlohmann::json small_document(const std::string& file) {
  constexpr std::uintmax_t kMostBytes = 10'000'000;
  std::error_code error;
  if (fs::file_size(file, error) > kMostBytes || error) return nullptr;
  try {
    return base::read_large_json_file(file);
  } catch (const base::Error&) {
    return nullptr;
  }
}

// A suite may have any keys by mistake, also those of a report.
void refuse_work(const std::string& file) {
  const nlohmann::json document = small_document(file);
  if (!document.is_object()) return;
  if (document.contains("matrices"))
    throw base::usage_error(file + ": this is a suite, not a report; measure it with mpsbench run " + file);
  if (document.contains("layers"))
    throw base::usage_error(file + ": this is a model, not a report; measure it with mpsbench run --model " + file);
}

// What PATH is that no text may replace: a document of ours, or a file that is no text. Otherwise empty.
std::string document_name(const fs::path& path) {
  if (supervise::Journal::is_journal(path)) return "the journal of an unfinished run";
  std::string beginning = supervise::beginning_of(path, 512);
  if (beginning.find('\0') != std::string::npos) return kBinary;
  const nlohmann::json document = small_document(path.string());
  if (document.contains("matrices")) return "a suite";
  if (document.contains("layers")) return "a model";
  std::erase_if(beginning, [](char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; });
  // A report may be too large to be read as a whole.
  const bool is_report = document.contains("schema_version") || beginning.starts_with(R"({"schema_version":)");
  return is_report ? kReport : "";
}

template <typename Read>
auto read_as_report(const std::string& file, Read read) {
  refuse_journal(file);
  try {
    return read();
  } catch (const base::Error&) {
    refuse_work(file);
    throw;
  }
}

}  // namespace

schema::Report read_report_file(const std::string& file) {
  return read_as_report(file, [&] {
    const nlohmann::json document = base::read_large_json_file(file);
    const base::UnknownKeys unknown;
    schema::Report report = schema::from_json<schema::Report>(base::Reader(document, file));
    if (const std::string words = unknown.words(file); !words.empty()) base::log::warn(words);
    const std::size_t unfounded = report::recompute(report, document).size();
    if (unfounded > 0)
      base::log::warn("the metrics of " + base::counted(unfounded, "case", "cases") + " in " + file +
                      " do not follow from the samples, so they were computed again");
    return report;
  });
}

schema::Report read_own_report(const std::string& file) {
  return read_as_report(file, [&] { return schema::load_report(file); });
}

void refuse_document(const fs::path& path, const std::string& option, Writes writes) {
  const std::string name = document_name(path);
  const bool is_meant = (writes == Writes::report && name == kReport) || (writes == Writes::tensors && name == kBinary);
  if (!name.empty() && !is_meant)
    throw base::usage_error(option + ": " + path.string() + " is " + name + "; choose another file");
}

report::ComparedReport read_compared_file(const std::string& file, std::string& remark) {
  return read_as_report(file, [&] {
    const base::UnknownKeys unknown;
    report::ComparedReport report = report::read_compared_report(file);
    remark = unknown.words(file);
    return report;
  });
}

}  // namespace mpsbench::run
