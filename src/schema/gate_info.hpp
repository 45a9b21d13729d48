// The settings of a gate: enough to resume its run and to give the verdicts at the end.
#pragma once

#include "base/json_reader.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace mpsbench::schema {

// The baseline's report file. The SHA-256 was taken when the run began.
struct BaselineFile {
  std::string path;  // with "~" for the home folder
  std::string sha256;

  bool operator==(const BaselineFile&) const = default;
};

struct GateInfo {
  std::optional<BaselineFile> baseline;  // null: the run is compared with another worker's run
  double alpha = 0.01;                   // chance of one or more false verdicts over all cases
  double budget_seconds = 600;           // time for launches beyond the planned ones
  bool fail_on_regression = false;
  bool fail_on_undecided = false;
  bool force = false;        // compare even if the reports are not comparable
  bool is_extended = false;  // the plan already has the additional launches that the verdicts need

  bool operator==(const GateInfo&) const = default;
};

[[nodiscard]] nlohmann::ordered_json to_json(const GateInfo& gate);
[[nodiscard]] GateInfo read_gate_info(base::Reader reader);

}  // namespace mpsbench::schema
