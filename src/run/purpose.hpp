// The task of a run, by its purpose.
#pragma once

#include "run/plan/options.hpp"
#include "run/session/task.hpp"
#include "schema/report.hpp"

#include <filesystem>
#include <memory>

namespace mpsbench::run {

// Makes the task of a new run. Throws Error if its baseline cannot be used.
[[nodiscard]] std::unique_ptr<Task> new_task(const Options& options);

// Makes the task of the run in FILE, which must be resumable; it continues with its purpose. If FILE does not
// record the purpose, it continues as a plain run, with a message. If the baseline of a gate is missing or
// has changed, the run ends without a verdict.
[[nodiscard]] std::unique_ptr<Task> resumed_task(const schema::RunRecord& record, const std::filesystem::path& file);

}  // namespace mpsbench::run
