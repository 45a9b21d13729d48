#include "cli/commands/doctor_checks.hpp"

#include "base/units.hpp"
#include "report/host/variables.hpp"
#include "report/metrics/flags.hpp"
#include "report/metrics/thread_shortfall.hpp"

#include <fmt/core.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <regex>
#include <set>
#include <utility>

namespace mpsbench::cli {
namespace {

using Level = Finding::Level;

constexpr double kBusyLoadPerCore = 0.25;         // running processes per core over the last minute
constexpr std::int64_t kSwapBytes = 64LL << 20U;  // less than this is usually left over from earlier work
constexpr std::int64_t kDiskBytes = 1LL << 30U;
constexpr std::int64_t kLeastMacos = 14;  // for MPS; the worker knows the version that its LibTorch needs
constexpr const char* kNativeCure =
    "install an arm64 Python, with Homebrew or with conda (CONDA_SUBDIR=osx-arm64 conda create -n mpsbench "
    "python, then in it conda config --env --set subdir osx-arm64; later installs may fall back to x86-64 "
    "without that), and build again in a native shell (arch -arm64 zsh)";
constexpr const char* kQuotaCure = "raise the quota (cpu.max, docker --cpus, a pod's limits)";

std::string bytes_told(std::int64_t bytes) {
  return base::format_bytes(static_cast<double>(bytes));
}

// What keeps a Mac from using MPS, whatever LibTorch there is: all reasons at once.
Findings mac_findings(const DoctorFacts& facts) {
  Findings findings;
  const auto& os = facts.host.os;
  const auto major = base::parse_whole_number(os.version.substr(0, os.version.find('.')));
  if (major && *major < kLeastMacos)
    findings.push_back({Level::warning, "macOS",
                        fmt::format("macOS {} is older than {}, which MPS needs", os.version, kLeastMacos),
                        "update macOS, or use --device cpu with a LibTorch that docs/mac.md names for it"});
  if (facts.translated) {
    findings.push_back(
        {Level::warning, "architecture", "this is an x86-64 program under Rosetta, which cannot use MPS", kNativeCure});
  } else if (os.arch != "arm64") {
    findings.push_back({Level::warning, "architecture",
                        "this Mac is not arm64 but " + os.arch + ", and LibTorch does not support its GPU",
                        "use --device cpu, or a Mac with an M-series chip"});
  }
  return findings;
}

Findings check_system(const DoctorFacts& facts) {
  const auto& os = facts.host.os;
  Findings findings = os.name == "macOS" ? mac_findings(facts) : Findings{};
  findings.insert(findings.begin(), {findings.empty() ? Level::good : Level::note, "system",
                                     os.name + (os.version.empty() ? "" : " " + os.version) + ", " + os.arch});
  return findings;
}

Findings check_package(const DoctorFacts& facts) {
  if (!facts.package) return {};
  if (!facts.programs)
    return {{Level::note, "package", facts.package->folder.string() + ", for PyTorch " + facts.package->torch_needed}};
  const base::PackagePrograms& programs = *facts.programs;
  const std::string used = fmt::format("{}, with PyTorch {} of {}", programs.folder.string(), programs.torch_version,
                                       programs.torch.parent_path().string());
  if (programs.folder.filename() == programs.torch_build) return {{Level::good, "package", used}};
  return {
      {Level::warning, "package",
       used + "; it has no programs for " + programs.torch_build + ", so CUDA has neither graphs nor a memory limit",
       "build the package with this PyTorch: docs/python.md says how"}};
}

// A slow build does not hide that the two programs differ: each has a finding of its own.
Findings check_build(const DoctorFacts& facts) {
  const std::string worker = facts.host.libtorch ? facts.host.libtorch->worker_build_type : facts.tool.build_type;
  Findings findings;
  if (facts.difference)
    findings.push_back({facts.difference->is_refused ? Level::problem : Level::warning, "build",
                        facts.difference->message, facts.difference->cure});
  for (const std::string& type : std::set{facts.tool.build_type, worker}) {
    if (type != "Release" && type != "RelWithDebInfo")
      findings.push_back({Level::problem, "build", "the build type '" + type + "' is not optimised",
                          "build with -DCMAKE_BUILD_TYPE=Release, as scripts/mpsbench does"});
  }
  if (findings.empty()) findings.push_back({Level::good, "build", worker});
  return findings;
}

// The worker does not start.
Finding worker_finding(const DoctorFacts& facts) {
  const std::string problem = "the worker does not start: " + facts.worker_error.value_or("no reason given");
  if (problem.find("; unset ") != std::string::npos) return finding_with_cure(Level::problem, "LibTorch", problem);
  if (!facts.package)
    return {Level::problem, "LibTorch", problem,
            "in a checkout, scripts/mpsbench installs LibTorch and builds the worker; or set CMAKE_PREFIX_PATH to "
            "`python3 -c 'import torch; print(torch.utils.cmake_prefix_path)'` and build again. "
            "docs/getting-started.md says where LibTorch comes from, also for CUDA and nightly builds"};
  const std::string wanted = facts.package->version == facts.tool.version
                                 ? fmt::format("'torch=={}.*'", facts.package->torch_needed)
                                 : "mpsbench==" + facts.tool.version;
  return {Level::problem, "LibTorch", problem,
          "pip install " + wanted + " in the worker's environment; docs/python.md says more"};
}

// VERSION: of a release or a development build, such as "1.13.0.dev20220522+cu102" or "2.9.0a0+git1234abc".
bool is_older_than_2_9(const std::string& version) {
  static const std::regex kForm(R"((\d{1,9})\.(\d{1,9})\..*)");
  std::smatch parts;
  return std::regex_match(version, parts, kForm) &&
         std::pair(std::stoi(parts[1]), std::stoi(parts[2])) < std::pair(2, 9);
}

Findings check_libtorch(const DoctorFacts& facts) {
  if (!facts.host.libtorch) return {worker_finding(facts)};
  const schema::LibtorchInfo& info = *facts.host.libtorch;
  if (is_older_than_2_9(info.version))
    return {{Level::problem, "LibTorch", info.version + " is older than 2.9, which this program needs",
             "install torch 2.9 or later and build again; scripts/mpsbench does both"}};
  return {{Level::good, "LibTorch",
           fmt::format("{}, {}, BLAS {}{}", info.version, info.architecture, info.blas.value_or("unknown"),
                       info.size_bytes ? ", " + bytes_told(*info.size_bytes) + " on disk" : "")}};
}

// Whether --engine compiled can run here.
Findings check_compiler(const DoctorFacts& facts) {
  if (!facts.compiler.empty())
    return {{Level::good, "packages", "--engine compiled can compile networks, with " + facts.compiler}};
  if (!facts.compiler_error) return {{Level::note, "packages", "unknown, because the worker does not start"}};
  std::string text = *facts.compiler_error;
  if (text.find("; ") == std::string::npos)
    text += "; docs/compiled.md says what compiling needs; other engines do not need it";
  return {finding_with_cure(Level::warning, "packages", "--engine compiled cannot run: " + text)};
}

Findings check_torch_source(const DoctorFacts& /*facts*/) {
  return {{Level::note, "LibTorch's source",
           "as of November 2026: torch of pip's usual index (macOS arm64; Linux with CUDA), of PyTorch's CPU "
           "index (Linux), or of the index of nightly builds; docs/getting-started.md has the commands"}};
}

Findings check_openmp(const DoctorFacts& facts) {
  if (!facts.host.libtorch) return {{Level::note, "OpenMP", "unknown"}};
  const std::vector<std::string>& runtimes = facts.host.libtorch->openmp_runtimes;
  const std::string names = fmt::format("{}", fmt::join(runtimes, ", "));
  if (runtimes.empty()) return {{Level::note, "OpenMP", "none"}};
  if (runtimes.size() == 1) return {{Level::good, "OpenMP", names}};
  return {{Level::problem, "OpenMP",
           "several OpenMP runtimes are loaded (" + names + "); their threads disturb each other",
           "keep one; remove the others from LD_PRELOAD, LD_LIBRARY_PATH or the LibTorch installation"}};
}

// Names the variables that a report shows, and warns of each that makes networks slower. check_scaling()
// warns of NCCL's.
Findings check_variables(const DoctorFacts& facts) {
  std::vector<std::string> texts;
  for (const auto& [name, value] : facts.host.environment) texts.push_back(name + "=" + value);
  const std::string text = fmt::format("{}", fmt::join(texts, ", "));
  const bool has_mps = std::ranges::any_of(facts.devices, [](const schema::DeviceStatus& device) {
    return device.usable && device.device.kind == schema::DeviceKind::mps;
  });
  Findings findings = slow_variables(facts, false);
  Finding all{Level::note, "variables", text.empty() ? "none of those that change speed are set" : text};
  if (has_mps && report::is_cpu_fallback_on(facts.host))
    all = {Level::warning, "variables", text + ": the CPU runs operators that MPS lacks",
           "unset PYTORCH_ENABLE_MPS_FALLBACK; then a missing operator ends a case as unsupported"};
  findings.insert(findings.begin(), all);
  return findings;
}

Findings check_load(const DoctorFacts& facts) {
  if (!facts.host.load_average) return {{Level::note, "load", kUntold}};
  const double cores = static_cast<double>(std::max<std::int64_t>(1, facts.host.cpu.logical_cores));
  const std::string text = fmt::format("load average {:.2f} on {:.0f} cores", *facts.host.load_average, cores);
  if (*facts.host.load_average > kBusyLoadPerCore * cores)
    return {{Level::warning, "load", "the machine is busy: " + text,
             "stop other programs, or wait a minute and try again"}};
  return {{Level::good, "load", text}};
}

// A text that the system may tell, and its bad values.
struct ToldFact {
  const char* subject;
  std::optional<std::string> (*told)(const schema::HostInfo& host);
  std::vector<std::string> bad;
  std::string message;  // followed by the value in quotes if it ends in a blank
  const char* cure;
};

Findings check_power(const DoctorFacts& facts) {
  const ToldFact rows[] = {{"governor",
                            [](const schema::HostInfo& host) { return host.cpu.governor; },
                            {"powersave", "conservative"},
                            "the CPU's frequency governor is ",
                            "sudo cpupower frequency-set -g performance"},
                           {"power",
                            [](const schema::HostInfo& host) { return host.power.source; },
                            {"battery"},
                            "this machine runs on battery",
                            "connect it to mains power"},
                           {"power mode",
                            [](const schema::HostInfo& host) { return host.power.mode; },
                            {"low-power"},
                            "low-power mode is on",
                            "switch it off in the system's settings"}};
  Findings findings;
  for (const ToldFact& row : rows) {
    const std::optional<std::string> told = row.told(facts.host);
    if (told && std::ranges::find(row.bad, *told) != row.bad.end()) {
      const std::string value = row.message.ends_with(' ') ? "'" + *told + "'" : "";
      findings.push_back({Level::warning, row.subject, row.message + value, row.cure});
    } else {
      findings.push_back({told ? Level::good : Level::note, row.subject, told.value_or(kUntold)});
    }
  }
  return findings;
}

Finding threads_finding(const DoctorFacts& facts) {
  const std::string text = base::counted(facts.threads, "thread", "threads") + " for " +
                           base::counted(facts.usable_cores, "usable core", "usable cores");
  // Ranks may share these cores, or have been bound to them.
  const std::int64_t share = std::max<std::int64_t>(1, facts.usable_cores / facts.local_ranks);
  if (facts.threads != facts.usable_cores && facts.threads != share)
    return {Level::warning, "threads", text, "unset OMP_NUM_THREADS, or set --threads"};
  // Without a worker, nobody knows whether they work.
  return {facts.worker_error ? Level::note : Level::good, "threads", text};
}

Findings check_threads(const DoctorFacts& facts) {
  Findings findings{threads_finding(facts)};
  for (const std::string& text : run::ignored_thread_variables(facts.host.environment, facts.threads))
    findings.push_back(finding_with_cure(Level::warning, "threads", text));
  if (facts.working.count == 0) return findings;  // the worker does not start
  const auto shortfall =
      report::thread_shortfall(facts.working, facts.threads, facts.host.environment, facts.allowed_cpus);
  if (!shortfall) return findings;
  if (findings.front().level == Level::good) findings.erase(findings.begin());
  findings.push_back({Level::warning, "threads", shortfall->what, shortfall->cure});
  return findings;
}

Findings check_quota(const DoctorFacts& facts) {
  if (!facts.cpu_quota) return {};
  const std::string text = fmt::format("a control group allows {:.3g} CPUs", *facts.cpu_quota);
  if (facts.quota_pauses > 0)
    return {{Level::warning, "CPU quota",
             fmt::format("{}, and paused this program {} while it looked around", text,
                         base::counted(facts.quota_pauses, "time", "times")),
             kQuotaCure}};
  if (*facts.cpu_quota < static_cast<double>(facts.threads))
    return {{Level::warning, "CPU quota",
             fmt::format("{} and pauses {} that work longer", text, base::counted(facts.threads, "thread", "threads")),
             kQuotaCure}};
  return {{Level::good, "CPU quota", text}};
}

Findings check_swap(const DoctorFacts& facts) {
  if (!facts.host.swap_used_bytes) return {{Level::note, "swap", kUntold}};
  const std::int64_t used = *facts.host.swap_used_bytes;
  if (used > kSwapBytes)
    return {{Level::warning, "swap", bytes_told(used) + " of swap are in use",
             "close programs that use much memory, or measure smaller batches"}};
  return {{Level::good, "swap", used == 0 ? "none in use" : bytes_told(used) + " in use"}};
}

Findings check_disk(const DoctorFacts& facts) {
  if (!facts.host.disk_free_bytes) return {{Level::note, "disk", kUntold}};
  std::string text = bytes_told(*facts.host.disk_free_bytes);
  if (facts.host.disk_total_bytes) text += " of " + bytes_told(*facts.host.disk_total_bytes);
  text += " free for reports";
  if (*facts.host.disk_free_bytes < kDiskBytes)
    return {{Level::warning, "disk", text, "free some space, or choose another place with --export-json"}};
  return {{Level::good, "disk", text}};
}

Findings check_memory_limit(const DoctorFacts& facts) {
  if (facts.host.os.name == "macOS")
    return {{Level::warning, "memory limit",
             "macOS does not limit memory, so a batch that is too large slows the whole machine down",
             "increase batch sizes step by step"}};
  return {{Level::good, "memory limit", "90 % of the free memory (RLIMIT_DATA)"}};
}

Findings check_sensors(const DoctorFacts& facts) {
  Findings findings{{Level::note, "sensors", "none"}};
  if (!facts.sensors.empty()) findings = {{Level::good, "sensors", fmt::format("{}", fmt::join(facts.sensors, ", "))}};
  for (const sensor::MissingSensor& missing : facts.missing_sensors)
    findings.push_back({missing.cure.empty() ? Level::note : Level::warning, "sensor " + missing.name,
                        "not read: " + missing.reason, missing.cure});
  return findings;
}

Findings check_gpus(const DoctorFacts& facts) {
  Findings findings;
  for (const sensor::GpuUse& gpu : facts.gpus) {
    const std::string subject = fmt::format("GPU {}", findings.size());
    std::string text = gpu.name + ": ";
    text += gpu.processes ? base::counted(*gpu.processes, "compute process", "compute processes")
                          : "number of compute processes unknown";
    if (gpu.memory_used_bytes) text += ", " + bytes_told(*gpu.memory_used_bytes) + " in use";
    if (gpu.utilization) text += fmt::format(", {:.0f} % busy", *gpu.utilization * 100);
    if (gpu.utilization.value_or(0) > schema::kBackgroundGpuShare) {
      findings.push_back({Level::warning, subject, text,
                          "stop the programs on it (see nvidia-smi), or use another GPU with --device cuda:N"});
    } else {
      findings.push_back({gpu.utilization ? Level::good : Level::note, subject, text});
    }
  }
  return findings;
}

Findings check_devices(const DoctorFacts& facts) {
  Findings findings;
  for (const schema::DeviceStatus& device : facts.devices) {
    const std::string subject = "device " + to_string(device.device);
    if (device.usable) {
      findings.push_back({Level::good, subject, device.name + ", built in and computes correctly"});
    } else if (!device.built_in) {
      findings.push_back({Level::note, subject, device.name + ": " + device.reason});
    } else {
      findings.push_back({Level::warning, subject, device.name + " is built in but not usable: " + device.reason,
                          device.device.kind == schema::DeviceKind::mps
                              ? "see docs/mac.md for what MPS needs"
                              : "check its driver, and whether another program uses it"});
    }
  }
  return findings;
}

// In the order in which doctor shows them.
constexpr Findings (*kChecks[])(const DoctorFacts&) = {
    check_system,       check_package, check_build, check_libtorch, check_compiler, check_torch_source, check_openmp,
    check_variables,    check_load,    check_power, check_threads,  check_quota,    check_swap,         check_disk,
    check_memory_limit, check_sensors, check_gpus,  check_scaling,  check_devices};

}  // namespace

Findings examine(const DoctorFacts& facts) {
  Findings findings;
  for (const auto check : kChecks) std::ranges::move(check(facts), std::back_inserter(findings));
  return findings;
}

Finding finding_with_cure(Level level, const std::string& subject, const std::string& text) {
  const std::size_t end = text.find("; ");
  return {level, subject, text.substr(0, end), end == std::string::npos ? "" : text.substr(end + 2)};
}

Findings slow_variables(const DoctorFacts& facts, bool are_of_nccl) {
  Findings findings;
  for (const auto& [name, value] : facts.host.environment) {
    const auto* slow = report::find_slow_variable(name, value);
    if (slow != nullptr && name.starts_with("NCCL_") == are_of_nccl)
      findings.push_back({Level::warning, name, fmt::format("{}={}: {}", name, value, slow->effect), "unset " + name});
  }
  return findings;
}

}  // namespace mpsbench::cli
