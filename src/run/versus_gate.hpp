// `run --versus WORKER`: every launch also by another worker, in turns, and the two are compared.
#pragma once

#include "run/gate.hpp"

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

// The other worker, and what build it says it is.
struct OtherWorker {
  std::filesystem::path program;
  std::optional<schema::ToolInfo> tool;
};

// Of purpose versus. Throws Error(usage) for what is no worker, and Error(interrupted).
[[nodiscard]] OtherWorker find_other_worker(const Options& options);

// The plan of RECORD again, as a run of its own by TOOL; a worker that does not say what it is may be of any
// commit.
[[nodiscard]] schema::RunRecord second_run(const schema::RunRecord& record,
                                           const std::optional<schema::ToolInfo>& tool);

}  // namespace mpsbench::run
