// The reports of a page, and what its parts ask of their cases.
#pragma once

#include "report/compare/compared_report.hpp"
#include "schema/report.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::output {

struct PageReports {
  const std::vector<schema::Report>* all = nullptr;
  std::vector<std::string> letters;              // "A", "B", ... as machine_title() has them
  std::vector<report::ComparedReport> compared;  // called by their letters
  std::vector<std::vector<std::string>> ids;     // of the cases, short where all agree

  // Whether a reader must be told which report a case is of.
  [[nodiscard]] bool several() const { return all->size() > 1; }
};

// Keeps a pointer to REPORTS.
[[nodiscard]] PageReports page_reports(const std::vector<schema::Report>& reports);

// The fragment that names a case's details: "a12" for the thirteenth of the first report.
[[nodiscard]] std::string case_anchor(std::size_t report, std::size_t number);

struct StepTime {
  double seconds = 0;
  std::optional<schema::Interval> ci95;
};

// The median, of a published case the mean; nullopt where there is none above 0.
[[nodiscard]] std::optional<StepTime> step_time(const schema::CaseResult& result);
// "141 ms ±0.6 %", "141 ms" without an interval.
[[nodiscard]] std::string time_text(const StepTime& time);

// "1" for a case's first launch.
[[nodiscard]] std::string launch_name(const schema::Launch& launch);

// What tells the case from others of its model, mode and batch size on its machine: "cuda bf16 graph".
[[nodiscard]] std::string series_of(const schema::CaseResult& result);

}  // namespace mpsbench::output
