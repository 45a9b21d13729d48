// A run that only writes its report, without comparing or calibrating.
#pragma once

#include "run/task.hpp"

namespace mpsbench::run {

class PlainRun final : public Task {
 public:
  // AT_BEST is the exit code if nothing fails.
  explicit PlainRun(base::ExitCode at_best = base::ExitCode::ok) : at_best_(at_best) {}

  void prepare(schema::RunRecord& record) override;
  [[nodiscard]] base::ExitCode run(Session& session, View& view) override;

 private:
  void fill(Session& session, View& view) const;

  base::ExitCode at_best_;
  bool fills_time_ = false;  // a resumed run keeps its plan
};

}  // namespace mpsbench::run
