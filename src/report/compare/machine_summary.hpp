// What a comparison of machines says first: how fast each machine is compared with the first one, and which
// machines cannot be compared.
#pragma once

#include "report/compare/compared_report.hpp"
#include "report/compare/machines.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::report {

// Of two reports that share no case, the two cases that differ least.
struct NearestCases {
  const ComparedCase* one = nullptr;
  const ComparedCase* other = nullptr;
  // What differs, the most important first: "batch size 64 and 8", "epochs 1 and none". Own options and
  // devices do not count.
  std::vector<std::string> differences;
};

// Nullopt if a report has no case.
[[nodiscard]] std::optional<NearestCases> nearest_cases(const ComparedReport& one, const ComparedReport& other);

// A machine compared with the base. Of several devices, each row's fastest counts. Of a single report, its
// devices are compared with its CPU.
struct MachineSpeeds {
  MachineColumn column;       // of several reports, the first column of this one
  std::vector<Speed> speeds;  // at the shared cases; empty if none has two times
  double median = 0;          // these three are 0 without speeds
  double least = 0;
  double most = 0;
};

struct LeftOutMachine {
  const ComparedReport* report = nullptr;
  // Of the base and this report, of which the second has the case to run; null: a report has no case.
  std::optional<NearestCases> nearest;
};

// A case that a report would share with most of the machines that do not share one with it.
struct CaseToShare {
  const ComparedCase* result = nullptr;
  std::size_t machines = 0;
};

struct MachineSummary {
  // The rows in which a case of the base stands beside another one, and their columns.
  MachineTable shared;
  // The first report that shares a case with another one; the first of all if none does.
  const ComparedReport* base = nullptr;
  MachineColumn base_column;            // the base's first column, of a single report its CPU
  std::vector<MachineSpeeds> machines;  // in the order of the columns, without the base
  std::vector<LeftOutMachine> left_out;
  std::optional<CaseToShare> to_share;  // that the base would share with those left out, but for the lonely one
  // The first report, if only others share cases; it is left out, too.
  const ComparedReport* lonely = nullptr;
  std::optional<CaseToShare> lonely_to_share;
  std::size_t other_rows = 0;  // of cases that are not shared
};

// The speed of a row's case in one column compared with that in another.
struct PairSpeed {
  std::size_t row = 0;
  Speed speed;
};

// Those of column OTHER compared with BASE. A pair of cases that stands in several rows counts once.
[[nodiscard]] std::vector<PairSpeed> pair_speeds(const MachineTable& table, std::size_t base, std::size_t other);

// With their median and their ends.
[[nodiscard]] MachineSpeeds speeds_over(const MachineColumn& column, std::vector<Speed> speeds);

// TABLE must have a column.
[[nodiscard]] MachineSummary machine_summary(const MachineTable& table);

}  // namespace mpsbench::report
