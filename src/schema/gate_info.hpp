// What a gate judges by: enough to go on with it and to judge at its end.
#pragma once

#include "base/json_reader.hpp"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>

namespace mpsbench::schema {

// A report on the disk, as it was when the run began.
struct BaselineFile {
  std::string path;  // home as "~"
  std::string sha256;

  bool operator==(const BaselineFile&) const = default;
};

struct GateInfo {
  std::optional<BaselineFile> baseline;  // null: the other side is another worker's run
  double alpha = 0.01;                   // chance of even one false call over all cases
  double budget_seconds = 600;           // for launches beyond the first ones
  bool fail_on_regression = false;
  bool fail_on_undecided = false;
  bool force = false;        // judges what is not comparable
  bool is_extended = false;  // the launches that the verdicts need are in the plan

  bool operator==(const GateInfo&) const = default;
};

[[nodiscard]] nlohmann::ordered_json to_json(const GateInfo& gate);
[[nodiscard]] GateInfo read_gate_info(base::Reader reader);

}  // namespace mpsbench::schema
