// The machines' view: the same work on several machines and devices, side by side, and how much faster than
// the CPU each device is.
#pragma once

#include "report/compare/compare.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::report {

// One device of one report.
struct MachineColumn {
  const ComparedReport* report = nullptr;
  schema::DeviceId device;

  friend bool operator==(const MachineColumn&, const MachineColumn&) = default;
};

// A speed relative to another one: 2 means twice as fast. The interval is null if a published side has none,
// or if a measured side has only one launch.
struct Speed {
  double value = 1;
  std::optional<schema::Interval> ci95;
  bool within_launch = false;  // a measured side has only one launch, so nothing shows how launches differ
};

struct MachineCell {
  const ComparedCase* result = nullptr;  // null: not in this report
  std::optional<Speed> speed;            // compared with the row's first cell that has a time
  bool best = false;
  std::string own_settings;  // "1 thread, affinity 0-3"; empty unless measured cells of the row differ in them

  [[nodiscard]] bool is_empty() const { return result == nullptr; }
};

struct MachineRow {
  std::string work;  // the case's id without its device, and without own options in which the cells differ
  std::vector<MachineCell> cells;  // one per column
};

// The speed of a device relative to the CPU of the same report.
struct SpeedUp {
  std::string work;
  std::int64_t batch_size = 0;
  Speed speed;
};

struct SpeedUps {
  MachineColumn column;
  std::string family;                     // the work without its batch size: "mlp/train/fp32/eager/synthetic"
  std::vector<SpeedUp> by_batch;          // smallest batch first
  std::optional<std::int64_t> crossover;  // the smallest batch from which the whole interval is above 1
};

struct MachineTable {
  std::vector<MachineColumn> columns;  // reports in the given order, devices in each report's order
  std::vector<MachineRow> rows;        // in the reports' order, a work's smallest batch first
  std::vector<SpeedUps> speed_ups;
};

// A row's cases differ at most in their device and their own options (see without_own_options()). If a column
// has several such cases, rows pair equal options, and a column without an equal partner puts its fastest
// case into the row with most cases.
// A speed has an interval if both sides have two good launches. A published figure is compared as it is, with
// the widest interval that both sides' intervals allow. If it measured other work (see schema::Caution), it
// is neither compared nor marked as the best. It also stands in the rows of cases that repeat it with
// --as-published, and in its own row only if this has a measured case too. The result points into REPORTS.
[[nodiscard]] MachineTable machine_table(const std::vector<ComparedReport>& reports);

// The rows of TABLE that KEEP approves, and the columns that have a case there.
[[nodiscard]] MachineTable part_of(const MachineTable& table, const std::function<bool(const MachineRow&)>& keep);

// The reports of the columns, in their order.
[[nodiscard]] std::vector<const ComparedReport*> reports_of(const MachineTable& table);

// Whether RESULT may be compared: it has a time, neither diverged nor failed to learn, and did the work that
// its id says. It may be null.
[[nodiscard]] bool is_fit(const ComparedCase* result);
// Returns the speed of FAST relative to SLOW, or nullopt unless both are fit.
[[nodiscard]] std::optional<Speed> speed_of(const ComparedCase* slow, const ComparedCase* fast);

// Returns the case's id without its device: "mlp/train/b64/...".
[[nodiscard]] std::string work_of(const ComparedCase& result);

// Whether two reports may be compared, and what readers of the comparison should know.

struct Comparability {
  std::vector<std::string> obstacles;  // different work, precisions or clocks: no verdict would mean anything
  std::vector<std::string> caveats;    // one line each
};

// Whether both reports come from one machine: the name, CPU and system are equal, they share at least one
// device, and the hardware behind each shared device is equal.
[[nodiscard]] bool same_machine(const ComparedReport& before, const ComparedReport& after);

// Compares for the gate's view: cases that are paired must do the same work.
[[nodiscard]] Comparability comparability(const ComparedReport& before, const ComparedReport& after);

// Compares for the machines' view: the cases of a row must do the same work; the machines may differ in everything
// else. Compares each case with the row's first one that is not published. Published figures have no definition to
// compare, so for them a caveat says that only the description shows that the work is the same.
[[nodiscard]] Comparability comparability(const MachineTable& table);

}  // namespace mpsbench::report
