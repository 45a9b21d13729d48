#include "cli/commands/doctor_checks.hpp"

#include "base/units.hpp"
#include "cli/commands/doctor_finding.hpp"
#include "cli/commands/doctor_scaling.hpp"
#include "report/host/torch_version.hpp"
#include "report/metrics/flags.hpp"

#include <fmt/core.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

namespace mpsbench::cli {
namespace {

using Level = Finding::Level;
constexpr double kBusyLoadPerCore = 0.25;         // running processes per core over the last minute
constexpr std::int64_t kSwapBytes = 64LL << 20U;  // less than this is usually left over from earlier work
constexpr std::int64_t kDiskBytes = 1LL << 30U;
constexpr std::int64_t kLeastMacos = 14;  // for MPS; the worker knows the version that its LibTorch needs
constexpr const char* kUntold = "not reported by this system";
constexpr const char* kNativeCure =
    "install an arm64 Python, with Homebrew or with conda (CONDA_SUBDIR=osx-arm64 conda create -n mpsbench "
    "python, then in it conda config --env --set subdir osx-arm64; later installs may fall back to x86-64 "
    "without that), and build again in a native shell (arch -arm64 zsh)";

Finding good(const std::string& subject, const std::string& message) {
  return {Level::good, subject, message, ""};
}

Finding note(const std::string& subject, const std::string& message) {
  return {Level::note, subject, message, ""};
}

Finding good_if_known(const std::string& subject, const std::optional<std::string>& message) {
  return message ? good(subject, *message) : note(subject, kUntold);
}

// What keeps a Mac from using MPS, whatever LibTorch there is: all reasons at once.
std::vector<Finding> mac_findings(const DoctorFacts& facts) {
  std::vector<Finding> findings;
  const auto& os = facts.host.os;
  const auto major = base::parse_whole_number(os.version.substr(0, os.version.find('.')));
  if (major && *major < kLeastMacos) {
    findings.push_back({Level::warning, "macOS",
                        fmt::format("macOS {} is older than {}, which MPS needs", os.version, kLeastMacos),
                        "update macOS, or use --device cpu with a LibTorch that docs/mac.md names for it"});
  }
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

std::vector<Finding> check_system(const DoctorFacts& facts) {
  const auto& os = facts.host.os;
  const std::string text = os.name + (os.version.empty() ? "" : " " + os.version) + ", " + os.arch;
  std::vector<Finding> findings;
  if (os.name == "macOS") findings = mac_findings(facts);
  findings.insert(findings.begin(), findings.empty() ? good("system", text) : note("system", text));
  return findings;
}

// A slow build does not hide that the two programs differ: each has a finding of its own.
std::vector<Finding> check_build(const DoctorFacts& facts) {
  const std::string worker = facts.host.libtorch ? facts.host.libtorch->worker_build_type : facts.tool.build_type;
  std::vector<Finding> findings;
  if (facts.difference)
    findings.push_back({facts.difference->is_refused ? Level::problem : Level::warning, "build",
                        facts.difference->message, facts.difference->cure});
  for (const std::string& type : std::set{facts.tool.build_type, worker}) {
    if (type != "Release" && type != "RelWithDebInfo")
      findings.push_back({Level::problem, "build", "the build type '" + type + "' is not optimised",
                          "build with -DCMAKE_BUILD_TYPE=Release, as scripts/mpsbench does"});
  }
  if (findings.empty()) findings.push_back(good("build", worker));
  return findings;
}

std::vector<Finding> check_package(const DoctorFacts& facts) {
  if (!facts.package) return {};
  if (!facts.programs)
    return {note("package", facts.package->folder.string() + ", for PyTorch " + facts.package->torch_needed)};
  const base::PackagePrograms& programs = *facts.programs;
  const std::string used = fmt::format("{}, with PyTorch {} of {}", programs.folder.string(), programs.torch_version,
                                       programs.torch.parent_path().string());
  if (programs.folder.filename() == programs.torch_build) return {good("package", used)};
  return {
      {Level::warning, "package",
       used + "; it has no programs for " + programs.torch_build + ", so CUDA has neither graphs nor a memory limit",
       "build the package with this PyTorch: docs/python.md says how"}};
}

Finding check_libtorch(const DoctorFacts& facts) {
  if (!facts.host.libtorch) {
    const std::string problem = "the worker does not start: " + facts.worker_error.value_or("no reason given");
    if (problem.find("; unset ") != std::string::npos) return finding_with_cure(Level::problem, "LibTorch", problem);
    if (facts.package) {
      const std::string wanted = facts.package->version == facts.tool.version
                                     ? fmt::format("'torch=={}.*'", facts.package->torch_needed)
                                     : "mpsbench==" + facts.tool.version;
      return {Level::problem, "LibTorch", problem,
              "pip install " + wanted + " in the worker's environment; docs/python.md says more"};
    }
    return {Level::problem, "LibTorch", problem,
            "in a checkout, scripts/mpsbench installs LibTorch and builds the worker; or set "
            "CMAKE_PREFIX_PATH to "
            "`python3 -c 'import torch; print(torch.utils.cmake_prefix_path)'` and build again. "
            "docs/getting-started.md says where LibTorch comes from, also for CUDA and nightly builds"};
  }
  const schema::LibtorchInfo& info = *facts.host.libtorch;
  const auto version = report::parse_torch_version(info.version);
  if (version && !version->at_least(2, 9)) {
    return {Level::problem, "LibTorch", info.version + " is older than 2.9, which this program needs",
            "install torch 2.9 or later and build again; scripts/mpsbench does both"};
  }
  return good(
      "LibTorch",
      fmt::format(
          "{}, {}, BLAS {}{}", info.version, info.architecture, info.blas.value_or("unknown"),
          info.size_bytes ? ", " + base::format_bytes(static_cast<double>(*info.size_bytes)) + " on disk" : ""));
}

Finding check_torch_source(const DoctorFacts& /*facts*/) {
  return note("LibTorch's source",
              "as of November 2026: torch of pip's usual index (macOS arm64; Linux with CUDA), of PyTorch's CPU "
              "index (Linux), or of the index of nightly builds; docs/getting-started.md has the commands");
}

Finding check_openmp(const DoctorFacts& facts) {
  if (!facts.host.libtorch) return note("OpenMP", "unknown");
  const std::vector<std::string>& runtimes = facts.host.libtorch->openmp_runtimes;
  std::string names;
  for (const std::string& name : runtimes) names += (names.empty() ? "" : ", ") + name;
  if (runtimes.size() > 1) {
    return {Level::problem, "OpenMP",
            "several OpenMP runtimes are loaded (" + names + "); their threads disturb each other",
            "keep one; remove the others from LD_PRELOAD, LD_LIBRARY_PATH or the LibTorch installation"};
  }
  return names.empty() ? note("OpenMP", "none") : good("OpenMP", names);
}

Finding check_load(const DoctorFacts& facts) {
  if (!facts.host.load_average) return note("load", kUntold);
  const double cores = static_cast<double>(std::max<std::int64_t>(1, facts.host.cpu.logical_cores));
  const std::string text = fmt::format("load average {:.2f} on {:.0f} cores", *facts.host.load_average, cores);
  if (*facts.host.load_average > kBusyLoadPerCore * cores) {
    return {Level::warning, "load", "the machine is busy: " + text,
            "stop other programs, or wait a minute and try again"};
  }
  return good("load", text);
}

Finding check_governor(const DoctorFacts& facts) {
  const auto& governor = facts.host.cpu.governor;
  if (governor == "powersave" || governor == "conservative") {
    return {Level::warning, "governor", "the CPU's frequency governor is '" + *governor + "'",
            "sudo cpupower frequency-set -g performance"};
  }
  return good_if_known("governor", governor);
}

Finding check_power(const DoctorFacts& facts) {
  if (facts.host.power.source == "battery") {
    return {Level::warning, "power", "this machine runs on battery", "connect it to mains power"};
  }
  return good_if_known("power", facts.host.power.source);
}

Finding check_power_mode(const DoctorFacts& facts) {
  if (facts.host.power.mode == "low-power") {
    return {Level::warning, "power mode", "low-power mode is on", "switch it off in the system's settings"};
  }
  return good_if_known("power mode", facts.host.power.mode);
}

Finding check_swap(const DoctorFacts& facts) {
  if (!facts.host.swap_used_bytes) return note("swap", kUntold);
  const std::int64_t used = *facts.host.swap_used_bytes;
  if (used > kSwapBytes) {
    return {Level::warning, "swap", base::format_bytes(static_cast<double>(used)) + " of swap are in use",
            "close programs that use much memory, or measure smaller batches"};
  }
  return good("swap", used == 0 ? "none in use" : base::format_bytes(static_cast<double>(used)) + " in use");
}

Finding check_disk(const DoctorFacts& facts) {
  if (!facts.host.disk_free_bytes) return note("disk", kUntold);
  std::string text = base::format_bytes(static_cast<double>(*facts.host.disk_free_bytes));
  if (facts.host.disk_total_bytes)
    text += " of " + base::format_bytes(static_cast<double>(*facts.host.disk_total_bytes));
  text += " free for reports";
  if (*facts.host.disk_free_bytes < kDiskBytes)
    return {Level::warning, "disk", text, "free some space, or choose another place with --export-json"};
  return good("disk", text);
}

Finding check_memory_limit(const DoctorFacts& facts) {
  if (facts.host.os.name == "macOS") {
    return {Level::warning, "memory limit",
            "macOS does not limit memory, so a batch that is too large slows the whole machine down",
            "increase batch sizes step by step"};
  }
  return good("memory limit", "90 % of the free memory (RLIMIT_DATA)");
}

Finding check_device(const schema::DeviceStatus& device) {
  const std::string subject = "device " + to_string(device.device);
  if (device.usable) return good(subject, device.name + ", built in and computes correctly");
  if (!device.built_in) return note(subject, device.name + ": " + device.reason);
  return {Level::warning, subject, device.name + " is built in but not usable: " + device.reason,
          device.device.kind == schema::DeviceKind::mps ? "see docs/mac.md for what MPS needs"
                                                        : "check its driver, and whether another program uses it"};
}

Finding check_sensors(const DoctorFacts& facts) {
  if (facts.sensors.empty()) return note("sensors", "none");
  return good("sensors", fmt::format("{}", fmt::join(facts.sensors, ", ")));
}

Finding check_missing_sensor(const sensor::MissingSensor& missing) {
  const Level level = missing.cure.empty() ? Level::note : Level::warning;
  return {level, "sensor " + missing.name, "not read: " + missing.reason, missing.cure};
}

Finding check_gpu(const sensor::GpuUse& gpu, std::size_t index) {
  const std::string subject = fmt::format("GPU {}", index);
  std::string text = gpu.name + ": ";
  text += gpu.processes ? fmt::format("{} compute process{}", *gpu.processes, *gpu.processes == 1 ? "" : "es")
                        : "number of compute processes unknown";
  if (gpu.memory_used_bytes) text += ", " + base::format_bytes(static_cast<double>(*gpu.memory_used_bytes)) + " in use";
  if (gpu.utilization) text += fmt::format(", {:.0f} % busy", *gpu.utilization * 100);
  if (gpu.utilization.value_or(0) > schema::kBackgroundGpuShare)
    return {Level::warning, subject, text,
            "stop the programs on it (see nvidia-smi), or use another GPU with --device cuda:N"};
  return gpu.utilization ? good(subject, text) : note(subject, text);
}

}  // namespace

std::vector<Finding> examine(const DoctorFacts& facts) {
  std::vector<Finding> findings = check_system(facts);
  const auto add = [&](std::vector<Finding> more) { std::ranges::move(more, std::back_inserter(findings)); };
  add(check_package(facts));
  add(check_build(facts));
  for (const auto& check : {check_libtorch, check_compiler, check_torch_source, check_openmp})
    findings.push_back(check(facts));
  add(check_variables(facts));
  for (const auto& check : {check_load, check_governor, check_power, check_power_mode})
    findings.push_back(check(facts));
  add(check_threads(facts));
  for (const auto& check : {check_swap, check_disk, check_memory_limit, check_sensors})
    findings.push_back(check(facts));
  for (const sensor::MissingSensor& missing : facts.missing_sensors) findings.push_back(check_missing_sensor(missing));
  for (std::size_t i = 0; i < facts.gpus.size(); ++i) findings.push_back(check_gpu(facts.gpus[i], i));
  add(check_scaling(facts));
  for (const schema::DeviceStatus& device : facts.devices) findings.push_back(check_device(device));
  return findings;
}

}  // namespace mpsbench::cli
