// `run --versus WORKER`: runs every launch with this and another worker, in turns, and compares the two.
#pragma once

#include "run/gate/gate.hpp"
#include "run/plan/options.hpp"

#include <filesystem>
#include <optional>
#include <string>

namespace mpsbench::run {

class VersusGate final : public Gate {
 public:
  explicit VersusGate(const Options& options);

  void prepare(schema::RunRecord& record) override;

 private:
  [[nodiscard]] report::ComparedReport before(const schema::Report& other) const override;

  std::string worker_;  // as the user named it
};

// The other worker, and the build that it reports.
struct OtherWorker {
  std::filesystem::path program;
  std::optional<schema::ToolInfo> tool;
};

// Finds the other worker of a run with purpose versus. Throws Error(usage) if the program is not a worker,
// and Error(interrupted).
[[nodiscard]] OtherWorker find_other_worker(const Options& options);

// Makes a separate run of RECORD's plan for the other worker, built from TOOL. If the worker does not report
// its build, the commit is left unknown.
[[nodiscard]] schema::RunRecord second_run(const schema::RunRecord& record,
                                           const std::optional<schema::ToolInfo>& tool);

}  // namespace mpsbench::run
