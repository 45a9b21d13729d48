// What a run does, from its plan to its exit code. Each purpose has its class.
#pragma once

#include "base/error.hpp"
#include "base/interface.hpp"
#include "run/plan/view.hpp"
#include "run/session/session.hpp"
#include "schema/report.hpp"

namespace mpsbench::run {

class Task : public base::Interface {
 public:
  // Changes RECORD as the purpose requires. Called for a new run, when its plan is complete and nothing has
  // run. Throws Error to refuse the plan.
  virtual void prepare(schema::RunRecord& record) = 0;
  // Runs the launches that SESSION lacks and writes its reports. Unless the run was cut short, then compares
  // or calibrates, as the purpose requires.
  [[nodiscard]] virtual base::ExitCode run(Session& session, View& view) = 0;
};

// A run that only writes its report, without comparing or calibrating.
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
