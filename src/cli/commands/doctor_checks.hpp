// The rules of `mpsbench doctor`. They take facts about the machine as input, so that tests can invent them.
#pragma once

#include "base/python_package.hpp"
#include "cli/commands/doctor_finding.hpp"
#include "run/plan/accelerators.hpp"
#include "schema/host.hpp"
#include "schema/messages.hpp"
#include "sensor/nvml_gpu.hpp"
#include "sensor/source.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::cli {

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

[[nodiscard]] std::vector<Finding> examine(const DoctorFacts& facts);

}  // namespace mpsbench::cli
