// `run --baseline FILE`: compares the run with an earlier report of this machine.
#pragma once

#include "run/gate/gate.hpp"
#include "run/plan/options.hpp"

#include <filesystem>

namespace mpsbench::run {

class BaselineGate final : public Gate {
 public:
  // Makes the gate of a new run. Throws Error(usage) or Error(not_comparable) if the file cannot be a
  // baseline.
  explicit BaselineGate(const Options& options);
  // Restores the gate of the run in FILE, for --resume. Throws Error(not_comparable) if its baseline no
  // longer exists or has changed.
  BaselineGate(const schema::RunRecord& record, const std::filesystem::path& file);

  // Checks that the baseline is from this machine and measured this work, and makes launches last as long as
  // its own.
  void prepare(schema::RunRecord& record) override;

 private:
  [[nodiscard]] report::ComparedReport before(const schema::Report& other) const override;

  report::ComparedReport baseline_;
  bool has_own_max_time_ = false;
};

}  // namespace mpsbench::run
