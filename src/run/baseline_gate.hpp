// `run --baseline FILE`: the run is held against an earlier report of this machine.
#pragma once

#include "run/gate.hpp"

#include <filesystem>

namespace mpsbench::run {

class BaselineGate final : public Gate {
 public:
  // Of a new run. Throws Error(usage), Error(not_comparable) for a file that is no baseline.
  explicit BaselineGate(const Options& options);
  // Of the run that FILE holds. Throws Error(not_comparable) where its baseline is gone or has changed.
  BaselineGate(const schema::RunRecord& record, const std::filesystem::path& file);

  // The baseline is of this machine and this work; launches last as long as its own.
  void prepare(schema::RunRecord& record) override;

 private:
  [[nodiscard]] report::ComparedReport before(const schema::Report& other) const override;

  report::ComparedReport baseline_;
  bool has_own_max_time_ = false;
};

}  // namespace mpsbench::run
