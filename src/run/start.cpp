#include "run/start.hpp"

#include "base/resources.hpp"
#include "run/batch_search.hpp"
#include "run/ceilings.hpp"
#include "run/countable.hpp"
#include "run/journaled_runs.hpp"
#include "run/places.hpp"
#include "run/versus_gate.hpp"

#include <filesystem>
#include <optional>
#include <vector>

namespace mpsbench::run {
namespace {

void require_runnable(const RunPlan& plan) {
  if (!plan.nothing_can_run()) return;
  throw base::Error(base::ErrorKind::no_device,
                    plan.record.launches.begin()->second.front().failure.value().message);
}

void search_open_batches(RunPlan& plan, View& view) {
  if (plan.open.empty()) return;
  search_batches(plan.record, plan.open, plan.host, view);
  require_countable(plan.record);
}

}  // namespace

base::ExitCode start_run(RunPlan& plan, Task& task, const Options& options, View& view) {
  require_runnable(plan);
  schema::RunRecord& record = plan.record;
  const bool is_named = options.report.has_value();
  const OutputPlaces outputs = output_places(record, plan.report, options);
  require_outputs(outputs, Proof::without_traces);
  require_places(record, plan.report, is_named);
  require_outputs(outputs);
  std::vector<supervise::WorkerRun> runs{
      {&record, base::worker_program()}};  // throws before a journal exists
  std::optional<OtherWorker> other;
  if (options.purpose == schema::Purpose::versus) other = find_other_worker(options);
  search_open_batches(plan, view);
  task.prepare(record);
  if (options.measures_ceilings) measure_ceilings(record);
  std::optional<schema::RunRecord> second;
  if (other) runs.push_back({&second.emplace(second_run(record, other->tool)), other->program});
  if (is_named) {
    for (const std::filesystem::path& place : report_places(plan.report, runs.size() > 1))
      keep_earlier(place);
  }
  Session session(open_journals(plan.report, is_named, runs), options.reports_losses);
  return task.run(session, view);
}

}  // namespace mpsbench::run
