#include "run/start.hpp"

#include "base/resources.hpp"
#include "run/gate/versus_gate.hpp"
#include "run/journaled_runs.hpp"
#include "run/plan/places.hpp"
#include "run/run_plan.hpp"
#include "run/search/batch_search.hpp"
#include "run/search/thread_try.hpp"
#include "run/session/ceilings.hpp"
#include "supervise/leading_front.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::run {
namespace {

// Names each reason once.
void require_runnable(const RunPlan& plan) {
  if (!plan.nothing_can_run()) return;
  std::vector<std::string> reasons;
  std::string text;
  for (const auto& [id, launches] : plan.record.launches) {
    const std::string& reason = launches.front().failure.value().message;
    if (std::ranges::find(reasons, reason) != reasons.end()) continue;
    reasons.push_back(reason);
    text += (text.empty() ? "" : ". ") + reason;
  }
  throw base::Error(base::ErrorKind::no_device, text);
}

void search_open_batches(RunPlan& plan, View& view) {
  if (plan.open.empty()) return;
  search_batches(plan.record, plan.open, plan.host, view);
  require_countable(plan.record);
}

void prove_places(const RunPlan& plan, const Options& options, Proof proof) {
  const OutputPlaces outputs = output_places(plan.record, plan.report, options);
  require_outputs(outputs, Proof::without_traces);
  require_places(plan.record, plan.report, options.report.has_value(), proof);
  if (proof == Proof::makes_folders) require_outputs(outputs);
}

bool is_on_several_machines(const supervise::LeadingFront* lead) {
  return lead != nullptr && lead->launcher().hosts > 1;
}

std::optional<OtherWorker> other_worker(const Options& options) {
  if (options.purpose != schema::Purpose::versus) return std::nullopt;
  return find_other_worker(options);
}

}  // namespace

void check_start(const RunPlan& plan, const Options& options) {
  prove_places(plan, options, Proof::without_traces);
  (void)other_worker(options);
}

base::ExitCode start_run(RunPlan& plan, Task& task, const Options& options, View& view, supervise::LeadingFront* lead) {
  require_runnable(plan);
  if (lead != nullptr) require_one_machine(plan.open, lead->launcher());
  const std::optional<TimeEnd> end = time_end(plan.time_limit_seconds);
  schema::RunRecord& record = plan.record;
  if (lead != nullptr) record.run.launcher = lead->launcher();
  prove_places(plan, options, Proof::makes_folders);
  std::vector<supervise::WorkerRun> runs{{&record, base::worker_program(), lead}};  // throws before a journal exists
  const std::optional<OtherWorker> other = other_worker(options);
  search_open_batches(plan, view);
  if (plan.has_default_threads && !is_on_several_machines(lead)) try_fewer_threads(record, plan.host.default_threads);
  task.prepare(record);
  if (options.measures_ceilings) measure_ceilings(record);
  std::optional<schema::RunRecord> second;
  if (other) runs.push_back({&second.emplace(second_run(record, other->tool)), other->program});
  const bool is_named = options.report.has_value();
  Session session(open_journals(plan.report, is_named, runs), options.reports_losses, end);
  return task.run(session, view);
}

}  // namespace mpsbench::run
