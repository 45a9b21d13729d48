#include "run/search/thread_try.hpp"

#include "base/clock.hpp"
#include "base/log.hpp"
#include "base/system_files.hpp"
#include "base/units.hpp"
#include "report/metrics/ceilings.hpp"
#include "run/packages/packages.hpp"
#include "run/search/batch_search.hpp"
#include "stats/summary.hpp"
#include "supervise/machine_state.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

namespace mpsbench::run {

namespace {

constexpr double kWatchSeconds = 0.3;  // long enough for the counters' resolution
constexpr double kTrySeconds = 1;
constexpr double kTimeoutSeconds = 10;
constexpr const char* kWhen = "while it tried fewer threads";

bool can_be_tried(const schema::RunRecord& record, const schema::PlannedCase& planned, std::int64_t default_threads) {
  const schema::CaseSpec& spec = planned.spec;
  if (!spec.device.row().is_host || row_of(spec.engine).packaged || spec.threads != default_threads || spec.affinity)
    return false;
  if (planned.data_path || planned.weights_path || record.launches.contains(planned.id)) return false;
  const std::optional<double> step = report::expected_step_seconds(record, planned);
  return step && *step <= kLongestTriedStep;
}

// Returns nullopt if the try fails, which the run's own launches will report.
std::optional<ThreadTime> try_threads(const schema::RunRecord& record, schema::PlannedCase planned,
                                      std::int64_t threads, supervise::Interrupt& interrupt) {
  planned = plain_trial(std::move(planned));
  planned.measure.warmup = {schema::WarmupSpec::Kind::steps, 2};
  planned.measure.min_time_seconds = 0;
  planned.measure.max_time_seconds = kTrySeconds;
  planned.spec.threads = threads;
  const schema::Launch launch = run_trial(launch_request(record, planned), kTimeoutSeconds, interrupt, kWhen);
  const std::optional<double> step = stats::median(launch.samples_seconds);
  if (launch.status != schema::Status::ok || !step) return std::nullopt;
  return ThreadTime{threads, *step};
}

std::string time_text(const ThreadTime& time) {
  return base::format_duration(time.step_seconds) + " with " + std::to_string(time.threads);
}

}  // namespace

std::vector<std::int64_t> fewer_threads(std::int64_t all, double busy_cores) {
  const auto busy = static_cast<std::int64_t>(std::ceil(std::clamp(busy_cores, 1.0, 1e6)));
  const std::set<std::int64_t, std::greater<>> counts{std::max<std::int64_t>(all - busy, 1),
                                                      std::max<std::int64_t>(all / 2, 1)};
  return {counts.begin(), counts.end()};
}

std::optional<ThreadTime> clear_winner(const ThreadTime& all, const std::vector<ThreadTime>& fewer) {
  const auto fastest = std::ranges::min_element(fewer, {}, &ThreadTime::step_seconds);
  if (fastest == fewer.end() || fastest->step_seconds * kClearlyFaster >= all.step_seconds) return std::nullopt;
  return *fastest;
}

std::optional<double> share_of_others(supervise::Interrupt& interrupt) {
  const supervise::MachineState before = supervise::read_machine_state();
  const double start = base::steady_seconds();
  if (interrupt.wait(kWatchSeconds)) stop_trials(kWhen);
  return supervise::other_cpu_share(before, supervise::read_machine_state(), 0, base::steady_seconds() - start);
}

void try_fewer_threads(schema::RunRecord& record, std::int64_t default_threads, const ShareOfOthers& watch) {
  const auto& all = record.run.planned;
  const auto tried =
      std::ranges::find_if(all, [&](const auto& planned) { return can_be_tried(record, planned, default_threads); });
  if (tried == all.end() || default_threads < 2) return;
  supervise::Interrupt interrupt;
  const double share = watch(interrupt).value_or(0);
  const std::vector<int> allowed = base::allowed_cpus();  // the share is of these
  const double cores =
      allowed.empty() ? static_cast<double>(record.host.cpu.logical_cores) : static_cast<double>(allowed.size());
  const double busy_cores = share * cores;
  if (busy_cores < kBusyCores) return;
  const std::string load = "other programs take " + base::format_significant(share * 100, 2) + " % of the CPU";
  base::log::info(load + ": trying " + tried->id + " with fewer threads");
  const auto usual = try_threads(record, *tried, default_threads, interrupt);
  if (!usual) return;
  std::vector<ThreadTime> fewer;
  for (const std::int64_t threads : fewer_threads(default_threads, busy_cores)) {
    if (const auto time = try_threads(record, *tried, threads, interrupt)) fewer.push_back(*time);
  }
  // The other programs may have paused during the tries with fewer threads, so the default has a second one.
  const auto again =
      clear_winner(*usual, fewer) ? try_threads(record, *tried, default_threads, interrupt) : std::nullopt;
  const ThreadTime& faster = again && again->step_seconds < usual->step_seconds ? *again : *usual;
  const auto best = again ? clear_winner(faster, fewer) : std::nullopt;
  if (!best) return base::log::detail("fewer threads are not clearly faster");
  record.run.fewer_threads = {tried->id, faster.threads, faster.step_seconds, best->threads, best->step_seconds};
  base::log::warn(load + ": " + tried->id + " takes " + time_text(faster) + " threads and " + time_text(*best) +
                  "; add --threads " + std::to_string(best->threads) + ", or stop the other programs");
}

}  // namespace mpsbench::run
