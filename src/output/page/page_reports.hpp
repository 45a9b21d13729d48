// The reports of a page: its machines and its cases, and what they are called.
#pragma once

#include "report/compare/compare.hpp"
#include "report/compare/machines.hpp"
#include "schema/report.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::output {

struct PageCase {
  std::size_t report = 0;
  std::size_t number = 0;   // in its report
  std::size_t machine = 0;  // the column of the page's table
  // What distinguishes it from others of its network, mode and machine: "batch 32, bf16".
  std::string name;
  std::string series;       // the same without the batch size; may be empty
  bool is_fastest = false;  // of the batch sizes of its series
};

struct PageReports {
  const std::vector<schema::Report>* all = nullptr;
  std::vector<report::ComparedReport> compared;
  report::MachineTable table;         // points into COMPARED
  std::vector<std::string> machines;  // the name of each column: "NVIDIA H200"
  std::vector<PageCase> cases;        // of all reports, in their order
  // For two runs of one machine: the verdicts, unless there are obstacles.
  std::optional<report::Comparison> comparison;
  report::Comparability comparability;  // of all machines or of the two runs

  [[nodiscard]] const schema::CaseResult& result(const PageCase& one) const {
    return (*all)[one.report].cases[one.number];
  }
  // The position in CASES; RESULT is one of COMPARED.
  [[nodiscard]] std::size_t position(const report::ComparedCase* result) const;
  // Whether these are two runs of one machine, which a gate would judge.
  [[nodiscard]] bool is_gate() const;
  // "resnet50 train, batch 32": a case in tables and sentences.
  [[nodiscard]] std::string named(const PageCase& one) const;
};

// The result points to REPORTS. FILES may be empty.
[[nodiscard]] PageReports page_reports(const std::vector<schema::Report>& reports,
                                       const std::vector<std::string>& files);

}  // namespace mpsbench::output
