// The reports of a page, and functions for its parts.
#pragma once

#include "report/compare/comparability.hpp"
#include "report/compare/machines.hpp"
#include "schema/report.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace mpsbench::output {

struct PageReports {
  const std::vector<schema::Report>* all = nullptr;
  std::vector<std::string> letters;              // "A", "B", ... as in machine_title()
  std::vector<report::ComparedReport> compared;  // named by their letters
  report::MachineTable machines;                 // points into COMPARED
  report::Comparability comparability;           // of all machines
  std::vector<std::vector<std::string>> ids;     // of the cases, without the parts that all share

  // Whether the page must say which report a case is from.
  [[nodiscard]] bool several() const { return all->size() > 1; }
  // The name of a case on the page: "A · mlp/train/b64".
  [[nodiscard]] std::string named(std::size_t report, std::size_t number) const {
    return (several() ? letters[report] + " · " : "") + ids[report][number];
  }
};

// The result points to REPORTS.
[[nodiscard]] PageReports page_reports(const std::vector<schema::Report>& reports);

// Returns the anchor of a case's details: "a12" for the thirteenth case of the first report.
[[nodiscard]] std::string case_anchor(std::size_t report, std::size_t number);

// Returns the options of an id: "epochs=1" and so on.
[[nodiscard]] std::vector<std::string> options_of(const std::string& id);

// Returns what people call a device of the report: "NVIDIA H200 cuda".
[[nodiscard]] std::string device_title(const schema::HostInfo& host, const schema::DeviceId& device);

// Returns the name of a launch: "1" for a case's first launch.
[[nodiscard]] std::string launch_name(const schema::Launch& launch);

// Returns what distinguishes the case from others of its model, mode and batch size on its machine: "cuda
// bf16 graph".
[[nodiscard]] std::string series_of(const schema::CaseResult& result);

}  // namespace mpsbench::output
