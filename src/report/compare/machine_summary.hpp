// What a comparison of machines says first: how fast each machine is compared with the first one, and which
// machines cannot be compared.
#pragma once

#include "report/compare/machines.hpp"
#include "report/compare/nearest_cases.hpp"

#include <cstddef>
#include <optional>
#include <vector>

namespace mpsbench::report {

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
  std::optional<NearestCases> nearest;  // to a case of the base, which is the first; null: it has no case
};

// A case that the base would share with most of the machines that are left out.
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
  std::optional<CaseToShare> to_share;
  std::size_t other_rows = 0;  // of cases that are not shared
};

// TABLE must have a column.
[[nodiscard]] MachineSummary machine_summary(const MachineTable& table);

}  // namespace mpsbench::report
