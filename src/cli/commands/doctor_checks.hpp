// The rules of `mpsbench doctor`. They take facts about the machine as input, so that tests can invent them.
#pragma once

#include "base/resources.hpp"
#include "run/plan/machine.hpp"
#include "schema/host.hpp"
#include "schema/messages.hpp"
#include "sensor/nvml.hpp"
#include "sensor/source.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::cli {

// What doctor found out about one subject.
struct Finding {
  enum class Level { good, note, warning, problem };  // note: neither good nor bad, or not known
  Level level = Level::note;
  std::string subject;
  std::string message;
  std::string cure = {};  // only of warnings and problems
};
using Findings = std::vector<Finding>;

inline constexpr const char* kUntold = "not reported by this system";

// What matters to a run of several processes.
struct ScalingFacts {
  std::optional<schema::Interconnect> interconnect;  // of two NVIDIA GPUs or more
  std::vector<std::int64_t> cpu_nodes;               // NUMA nodes of the allowed CPUs; empty: not known
  std::optional<std::int64_t> shared_memory_bytes;   // size of /dev/shm
  std::vector<std::string> interfaces;               // names of the network's interfaces
  std::string launcher;                              // and the place among its ranks; empty: none
  std::string launcher_error;                        // why the ranks cannot meet; empty: they can
  std::string master;                                // MASTER_ADDR; empty: not set
  std::optional<schema::Network> network;            // that reaches it
};

struct DoctorFacts {
  schema::ToolInfo tool;
  schema::HostInfo host;  // without libtorch if the worker could not start
  std::int64_t usable_cores = 0;
  std::int64_t threads = 0;           // default of a run
  schema::WorkingThreads working{};   // of these; none: the worker does not start
  std::size_t allowed_cpus = 0;       // that this process may use; 0: not known
  std::optional<double> cpu_quota{};  // of control groups, in CPUs
  std::int64_t quota_pauses = 0;      // while doctor ran
  std::int64_t local_ranks = 1;       // that a launcher has started on this machine
  bool translated = false;            // an x86-64 program under Rosetta
  std::vector<schema::DeviceStatus> devices;
  std::vector<std::string> sensors;  // names of the readable quantities
  std::vector<sensor::MissingSensor> missing_sensors;
  std::vector<sensor::GpuUse> gpus;  // read before this program used them
  ScalingFacts scaling;
  std::optional<std::string> worker_error;
  std::optional<base::PythonPackage> package;      // if the worker is in one
  std::optional<base::PackagePrograms> programs;   // of the package, if it fits the installed PyTorch
  std::optional<run::BuildDifference> difference;  // of the worker from this program
  std::string compiler;                            // of packages; empty: none, or not known
  std::optional<std::string> compiler_error;       // why there can be no packages; may say what to do after ";"
};

[[nodiscard]] Findings examine(const DoctorFacts& facts);

// What examine() says about what connects several GPUs or machines, and what would slow them down: nothing if
// there is one GPU or none, no launcher and no MASTER_ADDR.
[[nodiscard]] Findings check_scaling(const DoctorFacts& facts);

// TEXT says what to do after its first "; ".
[[nodiscard]] Finding finding_with_cure(Finding::Level level, const std::string& subject, const std::string& text);
// Returns a warning of each variable that makes networks slower, either of NCCL's or of the others.
[[nodiscard]] Findings slow_variables(const DoctorFacts& facts, bool are_of_nccl);

}  // namespace mpsbench::cli
