#include "run/run_plan.hpp"

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/hex.hpp"
#include "base/log.hpp"
#include "base/units.hpp"
#include "report/compare/compare.hpp"
#include "report/host/host_capture.hpp"
#include "report/host/privacy.hpp"
#include "run/fronts/fronts.hpp"
#include "run/plan/default_threads.hpp"
#include "run/plan/time_plan.hpp"
#include "schema/host.hpp"
#include "sensor/interconnect.hpp"
#include "suite/host.hpp"

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
  return std::any_of(matrices.begin(), matrices.end(), [](const suite::Settings& matrix) {
    const std::vector<suite::DeviceChoice> choices = matrix.devices.value_or({suite::DeviceChoice()});
    return std::any_of(choices.begin(), choices.end(),
                       [](const suite::DeviceChoice& choice) { return choice.kind != suite::DeviceChoice::Kind::one; });
  });
}

// Gives each case that cannot run on this machine its single launch, with status unsupported, without a
// worker.
void settle_unsupported(schema::RunRecord& record, const suite::Host& host) {
  for (schema::PlannedCase& planned : record.run.planned) {
    const std::string reason = suite::why_unsupported(planned.spec, host.devices, host.launched);
    if (reason.empty()) continue;
    schema::Launch launch;
    launch.status = schema::Status::unsupported;
    launch.failure = schema::Failure{"device", reason, ""};
    launch.started_at = base::utc_timestamp();
    planned.repeats = 1;
    record.launches[planned.id] = {launch};
  }
}

schema::RunRecord make_record(const Options& options, const std::string& title, suite::PlannedCases cases) {
  schema::RunRecord record;
  record.tool = schema::tool_info();
  record.run.id = base::random_hex(kRunIdLength);
  record.run.started_at = base::utc_timestamp();
  record.run.status = schema::RunStatus::partial;
  for (const std::string& word : options.argv) record.run.argv.push_back(report::hide_home(word));
  record.run.seed = options.seed;
  record.run.suite = title;
  record.run.purpose = options.purpose;
  record.run.price_dollars = options.price_dollars;
  record.run.epochs_projected = options.epochs_projected;
  record.run.percentiles = options.percentiles;
  record.run.strict = options.is_strict;
  record.run.planned = std::move(cases.cases);
  record.run.definitions = std::move(cases.definitions);
  return record;
}

// Throws Error(usage) unless each device has one case with a loop, because --plain prints only the loops'
// times.
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
    const auto affinity = matrix.of(&schema::CaseSpec::affinity);
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

// Whether a case of PLAN has a mode with TRAIT.
bool has_mode(const RunPlan& plan, bool schema::ModeRow::* trait) {
  return std::ranges::any_of(plan.record.run.planned, [&](const auto& one) { return row_of(one.spec.mode).*trait; }) ||
         std::ranges::any_of(plan.open, [&](const auto& one) { return row_of(one.point.mode).*trait; });
}

// Only packages are compiled.
void require_packages(const suite::Settings& settings, const RunPlan& plan) {
  const bool has_packages =
      std::ranges::any_of(plan.record.run.planned, [](const auto& one) { return row_of(one.spec.engine).packaged; }) ||
      std::ranges::any_of(plan.open, [](const auto& one) { return row_of(one.point.engine).packaged; });
  if (settings.of(&schema::CaseSpec::compile_mode).is_on_command_line() && !has_packages)
    throw settings.of(&schema::CaseSpec::compile_mode)
        .error("has no effect, because no case of the plan is compiled; leave it out, or add --engine compiled");
}

// Only training is projected.
void require_training(const suite::Settings& settings, const RunPlan& plan) {
  if (settings.epochs_projected.is_on_command_line() && !has_mode(plan, &schema::ModeRow::trains))
    throw settings.epochs_projected.error(
        "has no effect, because no case of the plan trains; leave it out, or add --mode train");
}

// Only inference has a latency.
void require_latency(const suite::Settings& settings, const RunPlan& plan) {
  const bool is_alone = std::ranges::all_of(settings.gate_on.value_or({}), [](const schema::GateOn& gate) {
    return gate.metric == schema::GatedMetric::latency_p99;
  });
  if (settings.gate_on.is_on_command_line() && is_alone && !has_mode(plan, &schema::ModeRow::has_latency))
    throw settings.gate_on.error(
        "judges nothing, because only inference has a latency, and no case of the plan infers; add --mode "
        "infer, or a metric such as step");
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
  schema::HostInfo host =
      report::capture_host(options.host_name, options.report.value_or("results/x.json").parent_path());
  plan.host = {default_threads(), host.memory_bytes, plan.accelerators->list(), usable_cpus()};
  if (options.place) plan.host.launched = launched_ranks(*options.place);
  suite::PlannedCases cases = suite::plan_cases(matrices, catalog, plan.host);
  const TimeLimit limit = time_limit_of(request, options.purpose);
  plan.time_limit_seconds = limit.seconds;
  if (limit.plans_launches && !options.has_own_max_time) shorten_launches(cases, plan.host, limit.seconds.value());
  plan.open = std::exchange(cases.open, {});
  plan.record = make_record(options, request.title, std::move(cases));
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
  plan.has_default_threads =
      std::any_of(matrices.begin(), matrices.end(), [](const suite::Settings& one) { return !one.threads.has(); });
  warn_of_waiting_threads(matrices, plan.host);
  if (plan.has_default_threads) {
    for (const std::string& text : ignored_thread_variables(plan.record.host.environment, plan.host.default_threads))
      base::log::warn(text);
  }
  require_training(request.settings, plan);
  require_packages(request.settings, plan);
  require_latency(request.settings, plan);
  if (request.settings.plain.is_on()) require_loops(request.settings, plan.record);
  return plan;
}

}  // namespace mpsbench::run
