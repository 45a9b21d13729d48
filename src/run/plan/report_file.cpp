#include "run/plan/report_file.hpp"

#include "base/json_file.hpp"
#include "base/json_reader.hpp"
#include "base/log.hpp"
#include "base/units.hpp"
#include "report/metrics/assemble.hpp"
#include "schema/report.hpp"
#include "supervise/journal.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace mpsbench::run {

namespace {

namespace fs = std::filesystem;

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

std::string beginning_of(const fs::path& path) {
  constexpr std::streamsize kBytes = 512;
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return "";  // opening a pipe would wait for its writer
  std::ifstream file(path, std::ios::binary);
  std::string text(static_cast<std::size_t>(kBytes), '\0');
  file.read(text.data(), kBytes);
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

// Whether TEXT begins a report, which may be too large to be read as a whole.
bool begins_like_report(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; });
  return text.starts_with(R"({"schema_version":)");
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
  const std::string beginning = beginning_of(path);
  if (beginning.find('\0') != std::string::npos) return kBinary;
  const nlohmann::json document = small_document(path.string());
  if (document.contains("matrices")) return "a suite";
  if (document.contains("layers")) return "a model";
  const bool is_report = document.contains("schema_version") || begins_like_report(beginning);
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
