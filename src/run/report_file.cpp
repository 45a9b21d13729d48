#include "run/report_file.hpp"

#include "base/counted.hpp"
#include "base/json_file.hpp"
#include "base/log.hpp"
#include "report/metrics/assemble.hpp"
#include "supervise/journal.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <filesystem>
#include <system_error>

namespace mpsbench::run {
namespace {

void refuse_journal(const std::string& file) {
  if (supervise::Journal::is_journal(file))
    throw base::usage_error(
        file + ": this is the journal of an unfinished run; finish it with mpsbench run --resume " + file +
        ", then use its report");
}

// The file's content, or null if it cannot be read or is larger than suites and models are.
nlohmann::json small_document(const std::string& file) {
  constexpr std::uintmax_t kMostBytes = 10'000'000;
  std::error_code error;
  if (std::filesystem::file_size(file, error) > kMostBytes || error) return nullptr;
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
    throw base::usage_error(file + ": this is a model, not a report; measure it with mpsbench run --model " +
                            file);
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
    schema::Report report = schema::read_report(base::Reader(document, file));
    const std::size_t unfounded = report::recompute(report, document).size();
    if (unfounded > 0)
      base::log::warn("the metrics of " + base::counted(unfounded, "case", "cases") + " in " + file +
                      " do not follow from the samples, so they were computed again");
    return report;
  });
}

report::ComparedReport read_compared_file(const std::string& file) {
  return read_as_report(file, [&] { return report::read_compared_report(file); });
}

}  // namespace mpsbench::run
