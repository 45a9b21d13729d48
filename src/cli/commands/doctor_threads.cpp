#include "cli/commands/doctor_threads.hpp"

#include "base/counted.hpp"
#include "base/cpu_list.hpp"
#include "report/metrics/thread_shortfall.hpp"
#include "run/default_threads.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

namespace mpsbench::cli {
namespace {

using Level = Finding::Level;

constexpr const char* kThreads = "threads";

Finding check_number(const DoctorFacts& facts) {
  const std::string text = base::counted(facts.threads, "thread", "threads") + " for " +
                           base::counted(facts.usable_cores, "usable core", "usable cores");
  // Ranks may share these cores, or have been bound to them.
  const std::int64_t share = std::max<std::int64_t>(1, facts.usable_cores / facts.local_ranks);
  if (facts.threads != facts.usable_cores && facts.threads != share)
    return {Level::warning, kThreads, text, "unset OMP_NUM_THREADS, or set --threads"};
  return {Level::good, kThreads, text, ""};
}

std::optional<Finding> check_working(const DoctorFacts& facts) {
  if (facts.working.count == 0) return std::nullopt;  // the worker does not start
  report::ThreadsAtWork threads{.asked = facts.threads, .working = facts.working.count, .cpus = {}};
  if (const auto cpus = base::parse_cpu_list(facts.working.cpus)) threads.cpus = {cpus->begin(), cpus->end()};
  const auto shortfall = report::thread_shortfall(threads, facts.host.environment, facts.allowed_cpus);
  if (!shortfall) return std::nullopt;
  return Finding{Level::warning, kThreads, shortfall->what, shortfall->cure};
}

std::optional<Finding> check_quota(const DoctorFacts& facts) {
  constexpr const char* kQuota = "CPU quota";
  constexpr const char* kCure = "raise the quota (cpu.max, docker --cpus, a pod's limits)";
  if (!facts.cpu_quota) return std::nullopt;
  const std::string text = fmt::format("a control group allows {:.3g} CPUs", *facts.cpu_quota);
  if (facts.quota_pauses > 0)
    return Finding{Level::warning, kQuota,
                   fmt::format("{}, and paused this program {} while it looked around", text,
                               base::counted(facts.quota_pauses, "time", "times")),
                   kCure};
  if (*facts.cpu_quota < static_cast<double>(facts.threads))
    return Finding{Level::warning, kQuota,
                   fmt::format("{} and pauses {} that work longer", text,
                               base::counted(facts.threads, "thread", "threads")),
                   kCure};
  return Finding{Level::good, kQuota, text, ""};
}

}  // namespace

std::vector<Finding> check_threads(const DoctorFacts& facts) {
  std::vector<Finding> findings{check_number(facts)};
  for (const std::string& text : run::ignored_thread_variables(facts.host.environment, facts.threads))
    findings.push_back(finding_with_cure(Level::warning, kThreads, text));
  for (auto& found : {check_working(facts), check_quota(facts)}) {
    if (found) findings.push_back(*found);
  }
  return findings;
}

}  // namespace mpsbench::cli
