// What a run does, from its plan to its exit code: one class per purpose.
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
  // Changes RECORD as the purpose requires. Called for a new run, when its plan is complete and nothing has
  // run. Throws Error to refuse the plan.
  virtual void prepare(schema::RunRecord& record) = 0;
  // Runs the launches that SESSION lacks and writes its reports. Unless the run was cut short, then compares
  // or calibrates, as the purpose requires.
  [[nodiscard]] virtual base::ExitCode run(Session& session, View& view) = 0;
};

// Makes the task of a new run. Throws Error if its baseline cannot be used.
[[nodiscard]] std::unique_ptr<Task> new_task(const Options& options);

// Makes the task of the run in FILE, which must be resumable; it continues with its purpose. If FILE does not
// record the purpose, it continues as a plain run, with a message. If the baseline of a gate is missing or
// has changed, the run ends without a verdict.
[[nodiscard]] std::unique_ptr<Task> resumed_task(const schema::RunRecord& record,
                                                 const std::filesystem::path& file);

}  // namespace mpsbench::run
