// The machines' view: the same work on several machines and devices, side by side, and how much faster than
// the CPU each device is.
#pragma once

#include "report/compare/compare.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::report {

// A device of a report.
struct MachineColumn {
  const ComparedReport* report = nullptr;
  schema::DeviceId device;
};

// How many times as fast; the interval is null where a published side tells none.
struct Speed {
  double value = 1;
  std::optional<schema::Interval> ci95;
};

struct MachineCell {
  const ComparedCase* result = nullptr;  // null: not in this report
  std::optional<Speed> speed;            // against the row's first cell
  bool best = false;
};

struct MachineRow {
  std::string work;                // the case's id without its device
  std::vector<MachineCell> cells;  // one a column
};

// A device against the CPU of its own report.
struct SpeedUp {
  std::string work;
  std::int64_t batch_size = 0;
  Speed speed;
};

struct SpeedUps {
  MachineColumn column;
  std::string family;                     // the work without its batch size: "mlp/train/fp32/eager/synthetic"
  std::vector<SpeedUp> by_batch;          // from the smallest batch on
  std::optional<std::int64_t> crossover;  // the smallest batch from which the whole interval is above 1
};

struct MachineTable {
  std::vector<MachineColumn> columns;  // reports as given, devices in their order there
  std::vector<MachineRow> rows;        // in the order in which the reports have them
  std::vector<SpeedUps> speed_ups;
};

// Speeds need two good launches on both sides. A published figure is compared as it is, with the interval
// that it and the other side leave open; one of other work (see schema::Caution) is not, nor is it ever the
// best. Keeps pointers into REPORTS.
[[nodiscard]] MachineTable machine_table(const std::vector<ComparedReport>& reports);

// "mlp/train/cpu/b64/..." without its device.
[[nodiscard]] std::string work_of(const ComparedCase& result);

}  // namespace mpsbench::report
