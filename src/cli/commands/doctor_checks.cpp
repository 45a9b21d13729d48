#include "cli/commands/doctor_checks.hpp"

#include "base/units.hpp"
#include "report/host/torch_version.hpp"
#include "report/metrics/flags.hpp"

#include <fmt/core.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace mpsbench::cli {
namespace {

using Level = Finding::Level;
constexpr double kBusyLoadPerCore = 0.25;         // running processes per core over the last minute
constexpr std::int64_t kSwapBytes = 64LL << 20U;  // less than this is usually left over from earlier work
constexpr std::int64_t kDiskBytes = 1LL << 30U;

Finding good(const std::string& subject, const std::string& message) {
  return {Level::good, subject, message, ""};
}

Finding check_build(const DoctorFacts& facts) {
  const std::string worker =
      facts.host.libtorch ? facts.host.libtorch->worker_build_type : facts.tool.build_type;
  for (const std::string& type : {facts.tool.build_type, worker}) {
    if (type != "Release" && type != "RelWithDebInfo") {
      return {Level::problem, "build", "the build type '" + type + "' is not optimised",
              "build with -DCMAKE_BUILD_TYPE=Release, as scripts/mpsbench does"};
    }
  }
  return good("build", worker);
}

Finding check_libtorch(const DoctorFacts& facts) {
  if (!facts.host.libtorch) {
    return {Level::problem, "LibTorch",
            "the worker does not start: " + facts.worker_error.value_or("no reason given"),
            "scripts/mpsbench installs LibTorch and builds the worker; or set CMAKE_PREFIX_PATH to "
            "`python3 -c 'import torch; print(torch.utils.cmake_prefix_path)'` and build again"};
  }
  const schema::LibtorchInfo& info = *facts.host.libtorch;
  const auto version = report::parse_torch_version(info.version);
  if (version && !version->at_least(2, 9)) {
    return {Level::problem, "LibTorch", info.version + " is older than 2.9, which this program needs",
            "install torch 2.9 or later and build again; scripts/mpsbench does both"};
  }
  return good("LibTorch",
              fmt::format("{}, {}, BLAS {}{}", info.version, info.architecture, info.blas.value_or("unknown"),
                          info.size_bytes
                              ? ", " + base::format_bytes(static_cast<double>(*info.size_bytes)) + " on disk"
                              : ""));
}

Finding check_openmp(const DoctorFacts& facts) {
  if (!facts.host.libtorch) return good("OpenMP", "unknown");
  const std::vector<std::string>& runtimes = facts.host.libtorch->openmp_runtimes;
  std::string names;
  for (const std::string& name : runtimes) names += (names.empty() ? "" : ", ") + name;
  if (runtimes.size() > 1) {
    return {Level::problem, "OpenMP",
            "several OpenMP runtimes are loaded (" + names + "); their threads disturb each other",
            "keep one; remove the others from LD_PRELOAD, LD_LIBRARY_PATH or the LibTorch installation"};
  }
  return good("OpenMP", names.empty() ? "none" : names);
}

Finding check_load(const DoctorFacts& facts) {
  if (!facts.host.load_average) return good("load", "unknown");
  const double cores = static_cast<double>(std::max<std::int64_t>(1, facts.host.cpu.logical_cores));
  const std::string text =
      fmt::format("load average {:.2f} on {:.0f} cores", *facts.host.load_average, cores);
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
  return good("governor", governor.value_or("not reported by this system"));
}

Finding check_power(const DoctorFacts& facts) {
  if (facts.host.power.source == "battery") {
    return {Level::warning, "power", "this machine runs on battery", "connect it to mains power"};
  }
  return good("power", facts.host.power.source.value_or("not reported by this system"));
}

Finding check_power_mode(const DoctorFacts& facts) {
  if (facts.host.power.mode == "low-power") {
    return {Level::warning, "power mode", "low-power mode is on", "switch it off in the system's settings"};
  }
  return good("power mode", facts.host.power.mode.value_or("not reported by this system"));
}

Finding check_threads(const DoctorFacts& facts) {
  const std::string text = fmt::format("{} threads for {} usable cores", facts.threads, facts.usable_cores);
  if (facts.threads != facts.usable_cores) {
    return {Level::warning, "threads", text, "unset OMP_NUM_THREADS, or set --threads"};
  }
  return good("threads", text);
}

Finding check_swap(const DoctorFacts& facts) {
  const std::int64_t used = facts.host.swap_used_bytes.value_or(0);
  if (used > kSwapBytes) {
    return {Level::warning, "swap", base::format_bytes(static_cast<double>(used)) + " of swap are in use",
            "close programs that use much memory, or measure smaller batches"};
  }
  return good("swap", used == 0 ? "none in use" : base::format_bytes(static_cast<double>(used)) + " in use");
}

Finding check_disk(const DoctorFacts& facts) {
  if (!facts.host.disk_free_bytes) return good("disk", "unknown");
  const std::string text =
      base::format_bytes(static_cast<double>(*facts.host.disk_free_bytes)) + " free for reports";
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
  if (!device.built_in) return good(subject, device.name + ": " + device.reason);
  return {Level::warning, subject, device.name + " is built in but not usable: " + device.reason,
          device.device.kind == schema::DeviceKind::mps
              ? "see docs/mac.md for what MPS needs"
              : "check its driver, and whether another program uses it"};
}

Finding check_sensors(const DoctorFacts& facts) {
  return good("sensors", facts.sensors.empty() ? "none" : fmt::format("{}", fmt::join(facts.sensors, ", ")));
}

Finding check_missing_sensor(const sensor::MissingSensor& missing) {
  const Level level = missing.cure.empty() ? Level::good : Level::warning;
  return {level, "sensor " + missing.name, "not read: " + missing.reason, missing.cure};
}

Finding check_gpu(const sensor::GpuUse& gpu, std::size_t index) {
  const std::string subject = fmt::format("GPU {}", index);
  std::string text = gpu.name + ": ";
  text += gpu.processes ? fmt::format("{} compute process{}", *gpu.processes, *gpu.processes == 1 ? "" : "es")
                        : "number of compute processes unknown";
  if (gpu.memory_used_bytes)
    text += ", " + base::format_bytes(static_cast<double>(*gpu.memory_used_bytes)) + " in use";
  if (gpu.utilization) text += fmt::format(", {:.0f} % busy", *gpu.utilization * 100);
  if (gpu.utilization.value_or(0) > report::kBackgroundGpuShare)
    return {Level::warning, subject, text,
            "stop the programs on it (see nvidia-smi), or use another GPU with --device cuda:N"};
  return good(subject, text);
}

}  // namespace

std::vector<Finding> examine(const DoctorFacts& facts) {
  std::vector<Finding> findings{check_build(facts),      check_libtorch(facts),     check_openmp(facts),
                                check_load(facts),       check_governor(facts),     check_power(facts),
                                check_power_mode(facts), check_threads(facts),      check_swap(facts),
                                check_disk(facts),       check_memory_limit(facts), check_sensors(facts)};
  for (const sensor::MissingSensor& missing : facts.missing_sensors)
    findings.push_back(check_missing_sensor(missing));
  for (std::size_t i = 0; i < facts.gpus.size(); ++i) findings.push_back(check_gpu(facts.gpus[i], i));
  for (const schema::DeviceStatus& device : facts.devices) findings.push_back(check_device(device));
  return findings;
}

}  // namespace mpsbench::cli
