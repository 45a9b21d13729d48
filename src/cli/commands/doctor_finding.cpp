#include "cli/commands/doctor_finding.hpp"

#include "base/units.hpp"
#include "cli/commands/doctor_checks.hpp"
#include "report/host/variables.hpp"
#include "report/metrics/flags.hpp"
#include "report/metrics/thread_shortfall.hpp"
#include "run/plan/default_threads.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace mpsbench::cli {

Finding finding_with_cure(Finding::Level level, std::string subject, const std::string& text) {
  const std::size_t end = text.find("; ");
  return {level, std::move(subject), text.substr(0, end), end == std::string::npos ? "" : text.substr(end + 2)};
}

Finding check_compiler(const DoctorFacts& facts) {
  constexpr const char* kSubject = "packages";
  if (!facts.compiler.empty())
    return {Finding::Level::good, kSubject, "--engine compiled can compile networks, with " + facts.compiler, ""};
  if (!facts.compiler_error) return {Finding::Level::note, kSubject, "unknown, because the worker does not start", ""};
  std::string text = *facts.compiler_error;
  if (text.find("; ") == std::string::npos)
    text += "; docs/compiled.md says what compiling needs; other engines do not need it";
  return finding_with_cure(Finding::Level::warning, kSubject, "--engine compiled cannot run: " + text);
}

namespace {

using Level = Finding::Level;

bool has_mps(const DoctorFacts& facts) {
  return std::ranges::any_of(facts.devices, [](const schema::DeviceStatus& device) {
    return device.usable && device.device.kind == schema::DeviceKind::mps;
  });
}

}  // namespace

bool is_of_nccl(const std::string& name) {
  return name.starts_with("NCCL_");
}

Finding slow_variable(const std::string& name, const std::string& value) {
  return {Level::warning, name, fmt::format("{}={}: {}", name, value, report::find_variable(name)->effect),
          "unset " + name};
}

std::vector<Finding> check_variables(const DoctorFacts& facts) {
  std::string text;
  for (const auto& [name, value] : facts.host.environment) text += (text.empty() ? "" : ", ") + name + "=" + value;
  std::vector<Finding> findings{
      {Level::note, "variables", text.empty() ? "none of those that change speed are set" : text, ""}};
  if (has_mps(facts) && report::is_cpu_fallback_on(facts.host))
    findings.front() = {Level::warning, "variables", text + ": the CPU runs operators that MPS lacks",
                        "unset PYTORCH_ENABLE_MPS_FALLBACK; then a missing operator ends a case as unsupported"};
  for (const auto& [name, value] : facts.host.environment) {
    if (!is_of_nccl(name) && report::find_slow_variable(name, value) != nullptr)
      findings.push_back(slow_variable(name, value));
  }
  return findings;
}

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
  // Without a worker, nobody knows whether they work.
  return {facts.worker_error ? Level::note : Level::good, kThreads, text, ""};
}

std::optional<Finding> check_working(const DoctorFacts& facts) {
  if (facts.working.count == 0) return std::nullopt;  // the worker does not start
  const auto shortfall =
      report::thread_shortfall(facts.working, facts.threads, facts.host.environment, facts.allowed_cpus);
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
    return Finding{
        Level::warning, kQuota,
        fmt::format("{} and pauses {} that work longer", text, base::counted(facts.threads, "thread", "threads")),
        kCure};
  return Finding{Level::good, kQuota, text, ""};
}

}  // namespace

std::vector<Finding> check_threads(const DoctorFacts& facts) {
  std::vector<Finding> findings{check_number(facts)};
  for (const std::string& text : run::ignored_thread_variables(facts.host.environment, facts.threads))
    findings.push_back(finding_with_cure(Level::warning, kThreads, text));
  const auto working = check_working(facts);
  if (working && findings.front().level == Level::good) findings.erase(findings.begin());
  for (const auto& found : {working, check_quota(facts)}) {
    if (found) findings.push_back(*found);
  }
  return findings;
}

}  // namespace mpsbench::cli
