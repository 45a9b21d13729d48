// A run from its plan to its exit code: one class a purpose.
#pragma once

#include "base/error.hpp"
#include "base/interface.hpp"
#include "run/options.hpp"
#include "run/session.hpp"
#include "run/view.hpp"
#include "schema/report.hpp"

#include <filesystem>
#include <memory>

namespace mpsbench::run {

class Task : public base::Interface {
 public:
  // Of a new run, whose plan is whole and of which nothing has run: takes into RECORD what the purpose asks
  // for. Throws Error to refuse the plan.
  virtual void prepare(schema::RunRecord& record) = 0;
  // Runs what SESSION lacks, leaves its reports and draws the conclusion, unless the run was cut short.
  [[nodiscard]] virtual base::ExitCode run(Session& session, View& view) = 0;
};

// Of a new run. Throws Error for a baseline that cannot be used.
[[nodiscard]] std::unique_ptr<Task> new_task(const Options& options);

// Of the run in FILE, which is resumable and goes on as it was begun. If FILE does not say what the run is
// for, it goes on as a plain run, with a note. If the baseline of a gate is gone or has changed, the gate
// ends without a verdict.
[[nodiscard]] std::unique_ptr<Task> resumed_task(const schema::RunRecord& record,
                                                 const std::filesystem::path& file);

}  // namespace mpsbench::run
