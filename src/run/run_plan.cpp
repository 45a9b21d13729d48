#include "run/run_plan.hpp"

#include "base/clock.hpp"
#include "base/hex.hpp"
#include "base/log.hpp"
#include "base/resources.hpp"
#include "base/units.hpp"
#include "report/compare/compare.hpp"
#include "report/host/host_capture.hpp"
#include "report/host/privacy.hpp"
#include "run/fronts/fronts.hpp"
#include "run/gate/gate.hpp"
#include "run/plan/places.hpp"
#include "run/plan/time_plan.hpp"
#include "run/search/batch_search.hpp"
#include "run/search/thread_try.hpp"
#include "run/session/ceilings.hpp"
#include "schema/host.hpp"
#include "sensor/interconnect.hpp"
#include "suite/host.hpp"
#include "supervise/front_orders.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace mpsbench::run {

namespace {

namespace fs = std::filesystem;
using schema::Purpose;

constexpr std::size_t kRunIdLength = 12;

// With a gate, each case gets at least report::kFirstLaunches launches at first, unless the command line sets
// --repeats.
void raise_repeats(std::vector<suite::Settings>& matrices) {
  for (suite::Settings& matrix : matrices) {
    if (matrix.repeats.is_on_command_line()) continue;
    if (matrix.repeats.value_or(0) >= report::kFirstLaunches) continue;
    matrix.repeats.set(report::kFirstLaunches, matrix.repeats.origin());
  }
}

// Whether the user left the choice of devices to mpsbench. If so, it names the devices that it cannot use.
bool any_device_will_do(const std::vector<suite::Settings>& matrices) {
  return std::ranges::any_of(matrices, [](const suite::Settings& matrix) {
    return std::ranges::any_of(matrix.devices.value_or({suite::DeviceChoice()}), [](const suite::DeviceChoice& choice) {
      return choice.kind != suite::DeviceChoice::Kind::one;
    });
  });
}

// Gives each case that cannot run on this machine its single launch, with status unsupported, without a worker.
void settle_unsupported(schema::RunRecord& record, const suite::Host& host) {
  for (schema::PlannedCase& planned : record.run.planned) {
    const std::string reason = suite::why_unsupported(planned.spec, host.devices, host.launched);
    if (reason.empty()) continue;
    planned.repeats = 1;
    record.launches[planned.id] = {supervise::failed_launch(schema::Status::unsupported, {"device", reason, ""})};
  }
}

schema::RunRecord make_record(const RunRequest& request, const Options& options, suite::PlannedCases cases) {
  schema::RunRecord record;
  record.tool = schema::tool_info();
  record.run.id = base::random_hex(kRunIdLength);
  record.run.started_at = base::utc_timestamp();
  record.run.status = schema::RunStatus::partial;
  for (const std::string& word : options.argv) record.run.argv.push_back(report::hide_home(word));
  record.run.suite = request.title;
  record.run.purpose = options.purpose;
  record.run.seed = request.settings.seed.value_or(0);
  record.run.price_dollars = request.settings.price_dollars.optional();
  record.run.epochs_projected = request.settings.epochs_projected.optional();
  const std::vector<double> percentiles = request.settings.percentiles.value_or({});
  const std::set<double> rising(percentiles.begin(), percentiles.end());
  record.run.percentiles.assign(rising.begin(), rising.end());
  record.run.strict = request.settings.strict.is_on();
  record.run.planned = std::move(cases.cases);
  record.run.definitions = std::move(cases.definitions);
  return record;
}

// Throws Error(usage) unless each device has one case with a loop, because --plain prints only the loops' times.
void require_loops(const suite::Settings& settings, const schema::RunRecord& record) {
  std::set<schema::DeviceId> devices;
  for (const schema::PlannedCase& planned : record.run.planned) {
    if (!devices.insert(planned.spec.device).second)
      throw settings.plain.error("prints one line per device, but " + planned.id +
                                 " is not the first case on its device; choose one case per device");
    if (!planned.spec.iterations)
      throw settings.plain.error("prints the time of a loop; add --iterations N (missing in " + planned.id + ")");
  }
}

// A thread without a core of its own delays all others, which wait for it at the end of each operation.
void warn_of_waiting_threads(const std::vector<suite::Settings>& matrices, const suite::Host& host) {
  for (const suite::Settings& matrix : matrices) {
    const std::vector<std::int64_t> counts = matrix.threads.value_or({host.default_threads});
    const auto most = std::max_element(counts.begin(), counts.end());
    const auto affinity = matrix.affinity;
    const std::int64_t cores =
        affinity.has() ? suite::cores_of(affinity.value(), host.cpus.value()) : report::usable_cores();
    const bool is_shared = !matrix.threads.has() && affinity.has();  // then it has fewer by default
    if (most == counts.end() || *most <= cores || is_shared) continue;
    base::log::warn((matrix.threads.has() ? "--threads " : "OMP_NUM_THREADS=") + std::to_string(*most) +
                    " is more than the " + base::counted(cores, "usable core", "usable cores") +
                    "; threads will wait for each other: use fewer, or allow more CPUs (--affinity, taskset, "
                    "a container's limits)");
    return;
  }
}

template <typename Trait>
bool has_case(const RunPlan& plan, Trait trait) {
  return std::ranges::any_of(plan.record.run.planned, [&](const auto& one) { return trait(one.spec); }) ||
         std::ranges::any_of(plan.open, [&](const auto& one) { return trait(one.point); });
}

// Refuses what the command line asks for if no case of PLAN can do it.
void require_effects(const suite::Settings& settings, const RunPlan& plan) {
  const auto require = [](const suite::AnySetting& setting, bool has_effect, const std::string& why) {
    if (setting.is_on_command_line() && !has_effect) throw setting.error(why);
  };
  require(settings.epochs_projected, has_case(plan, [](const auto& one) { return row_of(one.mode).trains; }),
          "has no effect, because no case of the plan trains; leave it out, or add --mode train");
  require(settings.compile_mode, has_case(plan, [](const auto& one) { return row_of(one.engine).packaged; }),
          "has no effect, because no case of the plan is compiled; leave it out, or add --engine compiled");
  const std::vector<schema::GateOn> gates = settings.gate_on.value_or({{}});
  const bool judges = std::ranges::any_of(gates, [&](const schema::GateOn& gate) {
    return has_case(plan, [&](const auto& one) { return row_of(gate.metric).is_of(one.mode); });
  });
  const schema::GatedMetricRow& first = row_of(gates.front().metric);
  require(settings.gate_on, judges,
          "judges nothing, because no case of the plan has a " + std::string(first.name) + "; add " + first.cure +
              ", or a metric such as step");
}

// Adds what connects several GPUs of this machine, and the network that a launcher's processes use.
void describe_connections(const Options& options, schema::HostInfo& host) {
  const sensor::Places places;
  const auto gpus = std::ranges::count_if(host.accelerators,
                                          [](const schema::Accelerator& one) { return one.device.row().has_nvml; });
  if (gpus > 1) host.interconnect = sensor::read_interconnect(places);
  if (options.place) host.network = sensor::read_network(places.root, options.place->address);
}

fs::path report_path(const Options& options, const schema::RunRecord& record) {
  if (options.report) return *options.report;
  return fs::path("results") /
         (record.host.name + "-" + base::local_file_timestamp() + "-" + record.run.suite + ".json");
}

// Names each reason once.
void require_runnable(const RunPlan& plan) {
  if (!plan.nothing_can_run()) return;
  std::set<std::string> reasons;
  std::string text;
  for (const auto& [id, launches] : plan.record.launches) {
    const std::string& reason = launches.front().failure.value().message;
    if (reasons.insert(reason).second) text += (text.empty() ? "" : ". ") + reason;
  }
  throw base::Error(base::ErrorKind::no_device, text);
}

void check_places(const RunPlan& plan, const Options& options, FolderCheck folders) {
  require_outputs(plan.record, plan.report, options, FolderCheck::without_traces);
  require_places(plan.record, plan.report, options.report.has_value(), folders);
  if (folders == FolderCheck::makes_folders) require_outputs(plan.record, plan.report, options);
}

}  // namespace

void require_countable(const schema::RunRecord& record) {
  constexpr std::int64_t kMostLaunches = 1'000'000;
  std::int64_t launches = 0;
  for (const schema::PlannedCase& planned : record.run.planned) {
    if (planned.repeats > kMostLaunches - launches)
      throw base::usage_error("the plan has more than a million launches; lower --repeats, or run it in parts");
    launches += planned.repeats;
  }
}

bool RunPlan::nothing_can_run() const {
  return open.empty() && record.launches.size() == record.run.planned.size();
}

base::ExitCode RunPlan::best_exit_code() const {
  const bool refused = nothing_can_run() || (record.run.strict && !record.launches.empty());
  return refused ? base::ExitCode::no_device : base::ExitCode::ok;
}

RunPlan make_run_plan(const RunRequest& request, const Options& options, const suite::Catalog& catalog) {
  if (request.matrices.empty()) throw base::usage_error("name a suite or --model; see `mpsbench list suites`");
  std::vector<suite::Settings> matrices = request.matrices;
  if (options.purpose == Purpose::baseline || options.purpose == Purpose::versus) raise_repeats(matrices);

  RunPlan plan;
  plan.accelerators = std::make_unique<Accelerators>();
  schema::HostInfo host = report::capture_host(request.settings.host_name.optional(),
                                               options.report.value_or("results/x.json").parent_path());
  plan.host = {default_threads(), host.memory_bytes, plan.accelerators->list(), usable_cpus()};
  if (options.place) plan.host.launched = launched_ranks(*options.place);
  suite::PlannedCases cases = suite::plan_cases(matrices, catalog, plan.host);
  const TimeLimit limit = time_limit_of(request, options.purpose);
  plan.time_limit_seconds = limit.seconds;
  if (limit.plans_launches && !options.has_own_max_time) shorten_launches(cases, plan.host, limit.seconds.value());
  plan.open = std::exchange(cases.open, {});
  plan.record = make_record(request, options, std::move(cases));
  if (limit.plans_launches) plan.record.run.planned_within_seconds = limit.seconds;
  plan.record.run.repeats_disturbed = !counts_launches(request) && options.purpose != Purpose::calibrate;
  if (!plan.open.empty() && options.purpose == Purpose::plain) plan.record.run.purpose = Purpose::search;
  plan.record.host = std::move(host);
  settle_unsupported(plan.record, plan.host);
  plan.record.host.accelerators = plan.accelerators->known();
  describe_connections(options, plan.record.host);
  require_countable(plan.record);
  plan.report = report_path(options, plan.record);
  if (any_device_will_do(matrices)) {
    for (const std::string& reason : plan.accelerators->passed_over(plan.record.run.planned))
      base::log::warn("not measured: " + reason);
  }
  plan.has_default_threads = std::ranges::any_of(matrices, [](const auto& one) { return !one.threads.has(); });
  warn_of_waiting_threads(matrices, plan.host);
  if (plan.has_default_threads) {
    for (const std::string& text : ignored_thread_variables(plan.record.host.environment, plan.host.default_threads))
      base::log::warn(text);
  }
  require_effects(request.settings, plan);
  if (request.settings.plain.is_on()) require_loops(request.settings, plan.record);
  return plan;
}

void check_start(const RunPlan& plan, const Options& options) {
  check_places(plan, options, FolderCheck::without_traces);
  (void)find_other_worker(options);
}

base::ExitCode start_run(RunPlan& plan, Task& task, const Options& options, const RunSink& show,
                         supervise::LeadingFront* lead) {
  require_runnable(plan);
  if (lead != nullptr) require_one_machine(plan.open, lead->launcher());
  const std::optional<TimeEnd> end = time_end(plan.time_limit_seconds);
  schema::RunRecord& record = plan.record;
  if (lead != nullptr) record.run.launcher = lead->launcher();
  check_places(plan, options, FolderCheck::makes_folders);
  std::vector<supervise::WorkerRun> runs{{&record, base::worker_program(), lead}};  // throws before a journal exists
  const std::optional<OtherWorker> other = find_other_worker(options);
  search_batches(record, plan.open, plan.host, show);
  require_countable(record);
  const bool is_one_machine = lead == nullptr || lead->launcher().hosts == 1;
  if (plan.has_default_threads && is_one_machine) try_fewer_threads(record, plan.host.default_threads);
  task.prepare(record);
  if (options.measures_ceilings) measure_ceilings(record);
  std::optional<schema::RunRecord> second;
  if (other) runs.push_back({&second.emplace(second_run(record, other->tool)), other->program});
  const bool is_named = options.report.has_value();
  Session session(open_journals(plan.report, is_named, runs), show, options.reports_losses, end);
  return task.run(session);
}

}  // namespace mpsbench::run
