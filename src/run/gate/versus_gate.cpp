#include "run/gate/versus_gate.hpp"

#include "base/hex.hpp"
#include "report/compare/compared_report.hpp"
#include "supervise/launch_runner.hpp"

#include <unistd.h>

#include <algorithm>

namespace mpsbench::run {

namespace fs = std::filesystem;

VersusGate::VersusGate(const Options& options) : Gate(options.gate), worker_(options.versus) {}

void VersusGate::prepare(schema::RunRecord& record) {
  record.run.gate = info_;
}

report::ComparedReport VersusGate::before(const schema::Report& other) const {
  return report::compared_of(other, worker_);
}

OtherWorker find_other_worker(const Options& options) {
  const fs::path worker = options.versus;
  if (!fs::is_regular_file(worker) || ::access(worker.c_str(), X_OK) != 0)
    throw base::usage_error("--versus: " + worker.string() + " is not a program; give another build's mpsbench-worker");
  try {
    const double patience_seconds =
        std::min(options.timeout_seconds.value_or(supervise::kProbeSeconds), supervise::kProbeSeconds);
    return {fs::absolute(worker), supervise::probe(fs::absolute(worker), nullptr, patience_seconds).tool};
  } catch (const base::Error& error) {
    if (error.kind() == base::ErrorKind::interrupted) throw;
    throw base::usage_error("--versus: " + worker.string() +
                            " is not an mpsbench-worker of this version: " + error.what());
  }
}

schema::RunRecord second_run(const schema::RunRecord& record, const std::optional<schema::ToolInfo>& tool) {
  schema::RunRecord second = record;
  second.tool.git_commit.reset();
  second.tool.has_uncommitted_changes.reset();
  if (tool) second.tool = *tool;
  second.run.id = base::random_hex(record.run.id.size());
  second.host.libtorch.reset();
  return second;
}

}  // namespace mpsbench::run
