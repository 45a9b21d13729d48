// What a report says about the machine and the tool. Reports are made to be shared, so this never contains a
// user name, serial number or home folder.
#pragma once

#include "base/units.hpp"
#include "schema/engine.hpp"
#include "schema/field_json.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::schema {

// The path between two GPUs, the fastest first. All but NVLink are levels of the PCIe tree.
enum class GpuPath { nvlink, board, pcie_switch, pcie_switches, host_bridge, node, system, unknown };

template <>
struct ClosedSet<GpuPath> {
  static constexpr const char* kWhat = "path between GPUs";
  static constexpr std::array kRows{
      HelpRow{GpuPath::nvlink, "nvlink", "NVLink"},
      HelpRow{GpuPath::board, "board", "PCIe on one board"},
      HelpRow{GpuPath::pcie_switch, "pcie-switch", "one PCIe switch"},
      HelpRow{GpuPath::pcie_switches, "pcie-switches", "several PCIe switches"},
      HelpRow{GpuPath::host_bridge, "host-bridge", "PCIe through the CPU's host bridge"},
      HelpRow{GpuPath::node, "node", "PCIe through host bridges of one NUMA node"},
      HelpRow{GpuPath::system, "system", "PCIe through the connection between NUMA nodes"},
      HelpRow{GpuPath::unknown, "unknown", "an unknown path"}};
};

struct GpuPair {
  std::int64_t first = 0, second = 0;
  GpuPath path = GpuPath::unknown;
  std::int64_t nvlinks = 0;
  std::optional<bool> peer_access{};

  bool operator==(const GpuPair&) const = default;
};

template <>
inline constexpr auto kFields<GpuPair> =
    table(field<&GpuPair::first>({"Number of a GPU, as nvidia-smi shows it."}),
          field<&GpuPair::second>({"Number of the other."}), field<&GpuPair::path>({"The path between them."}),
          field<&GpuPair::nvlinks>({"Active NVLinks of each GPU, directly to the other or to switches."}),
          field<&GpuPair::peer_access>(
              {"Whether one reads the other's memory without the host. Null: the driver does not say."}));

// Of two GPUs or more.
struct Interconnect {
  std::vector<std::optional<std::int64_t>> numa_nodes;
  std::vector<GpuPair> pairs;

  bool operator==(const Interconnect&) const = default;
};

template <>
inline constexpr auto kFields<Interconnect> =
    table("interconnect", field<&Interconnect::numa_nodes>({"The NUMA node of each GPU, in the order of nvidia-smi."}),
          field<&Interconnect::pairs>({"How each two GPUs are connected."}));

struct InfinibandPort {
  std::string device;
  std::int64_t port = 0;
  std::optional<double> bits_per_second;

  bool operator==(const InfinibandPort&) const = default;
};

template <>
inline constexpr auto kFields<InfinibandPort> = table(
    field<&InfinibandPort::device>({"Name of the adapter."}), field<&InfinibandPort::port>({"Number of its port."}),
    field<&InfinibandPort::bits_per_second>({"Rate of the port.", "bit/s"}));

struct Network {
  std::string interface;
  std::optional<double> bits_per_second;
  std::vector<InfinibandPort> infiniband;

  bool operator==(const Network&) const = default;
};

template <>
inline constexpr auto kFields<Network> =
    table("network", field<&Network::interface>({"With which the address of rank 0 is reached."}),
          field<&Network::bits_per_second>({"Its rate; null: the system does not say.", "bit/s"}),
          field<&Network::infiniband>({"Active ports, which NCCL prefers."}));

// Returns a text such as "NVLink, 18 links".
[[nodiscard]] std::string path_text(const GpuPair& pair);
// Returns the different paths between the GPUs, such as "NVLink, 18 links" or "one PCIe switch; NVLink, 4
// links".
[[nodiscard]] std::string paths_text(const Interconnect& interconnect);
// Returns a text such as "eth0, 25 Gb/s; InfiniBand mlx5_0, 400 Gb/s".
[[nodiscard]] std::string network_text(const Network& network);

// The highest rates that mpsbench-ops measured on a device. A case's rate is compared with them.
struct Ceiling {
  DeviceId device;
  std::optional<std::int64_t> threads;
  std::string measured_at;
  std::map<Precision, std::optional<double>> matmul_flops_per_second;
  std::optional<double> bytes_per_second;
  std::map<std::int64_t, std::optional<double>> bus_bytes_per_second{};

  bool operator==(const Ceiling&) const = default;
};

template <>
inline constexpr auto kFields<Ceiling> = table(
    "ceiling", field<&Ceiling::device>({"The device."}),
    field<&Ceiling::threads>({"Threads of an operation; only for the CPU."}),
    field<&Ceiling::measured_at>({"When the rates were measured, ISO 8601 in UTC."}),
    field<&Ceiling::matmul_flops_per_second>(
        {"Rate of the fastest matrix product, by precision; null: not measured.", "FLOP/s", kRate}),
    field<&Ceiling::bytes_per_second>({"Bytes read plus bytes written while adding large tensors.", "B/s", kRate}),
    field<&Ceiling::bus_bytes_per_second>(
        {"What all-reduce carries over the connection of each device, by the number of devices.", "B/s", kRate}));

struct ToolInfo {
  std::string name = "mpsbench", version;
  std::optional<std::string> git_commit;
  std::string build_type, compiler;
  std::optional<bool> has_uncommitted_changes{};
};

template <>
inline constexpr auto kFields<ToolInfo> =
    table("tool", field<&ToolInfo::name>({"The program's name."}), field<&ToolInfo::version>({"Its version."}),
          field<&ToolInfo::git_commit>({"The commit that it was built from; null: not known."}),
          field<&ToolInfo::has_uncommitted_changes>(
              {"Whether the sources differed from the commit; null: the commit is not known."}),
          field<&ToolInfo::build_type>({"CMake's build type."}),
          field<&ToolInfo::compiler>({"Name and version of the compiler."}));

// Returns a text such as "a1b2c3d" or "a1b2c3d with uncommitted changes", or "" if the commit is unknown.
[[nodiscard]] std::string commit_text(const ToolInfo& tool);

// Reported by the worker; absent until the first worker has sent its hello event.
struct LibtorchInfo {
  std::string version;
  std::optional<std::string> cuda, cudnn, blas;
  std::string architecture;
  std::optional<std::int64_t> size_bytes;
  std::int64_t intra_op_threads = 0, inter_op_threads = 0;
  std::vector<std::string> openmp_runtimes;
  std::string worker_build_type;
};

template <>
inline constexpr auto kFields<LibtorchInfo> =
    table("libtorch", field<&LibtorchInfo::version>({"Such as 2.13.0+cpu."}),
          field<&LibtorchInfo::cuda>({"Version of CUDA that it was built for."}),
          field<&LibtorchInfo::cudnn>({"Version of cuDNN that it runs with."}),
          field<&LibtorchInfo::blas>({"The library of matrix products on the CPU."}),
          field<&LibtorchInfo::architecture>({"The one that it is built for, such as x86_64."}),
          field<&LibtorchInfo::size_bytes>({"Size of its libraries on the disk.", "B"}),
          field<&LibtorchInfo::intra_op_threads>({"Of the first launch; each case has its own in spec.threads."}),
          field<&LibtorchInfo::inter_op_threads>(
              {"Of the first launch; a case with its own has it in spec.interop_threads."}),
          field<&LibtorchInfo::openmp_runtimes>(
              {"File names of the OpenMP libraries that are loaded; more than one distorts times."}),
          field<&LibtorchInfo::worker_build_type>({"CMake's build type of the worker."}));

struct Accelerator {
  DeviceId device;
  std::string name;
  std::optional<std::int64_t> memory_bytes;
};

template <>
inline constexpr auto kFields<Accelerator> = table(field<&Accelerator::device>({"Its name here, such as cuda:1."}),
                                                   field<&Accelerator::name>({"What its maker calls it."}),
                                                   field<&Accelerator::memory_bytes>({"Its memory.", "B"}));

struct OsInfo {
  std::string name, version, kernel, arch;
};

template <>
inline constexpr auto kFields<OsInfo> =
    table(field<&OsInfo::name>({"Name of the system."}), field<&OsInfo::version>({"Its version."}),
          field<&OsInfo::kernel>({"Version of its kernel."}), field<&OsInfo::arch>({"Architecture, such as arm64."}));

struct CpuInfo {
  std::string model;
  std::optional<std::int64_t> physical_cores, performance_cores, efficiency_cores;
  std::int64_t logical_cores = 0;
  std::vector<std::string> features;
  std::optional<std::string> governor;
};

template <>
inline constexpr auto kFields<CpuInfo> =
    table(field<&CpuInfo::model>({"What its maker calls it."}), field<&CpuInfo::physical_cores>({"Number of cores."}),
          field<&CpuInfo::performance_cores>({"Of these, the fast ones of an Apple CPU."}),
          field<&CpuInfo::efficiency_cores>({"Of these, the frugal ones of an Apple CPU."}),
          field<&CpuInfo::logical_cores>({"Number of hardware threads."}),
          field<&CpuInfo::features>({"Vector instructions that it has."}),
          field<&CpuInfo::governor>({"What chooses its clock (Linux)."}));

struct PowerInfo {
  std::optional<std::string> source, mode;
};

template <>
inline constexpr auto kFields<PowerInfo> = table(field<&PowerInfo::source>({"ac or battery; null: not known."}),
                                                 field<&PowerInfo::mode>({"low-power or normal; null: not known."}));

struct HostInfo {
  std::string name;
  OsInfo os;
  CpuInfo cpu;
  std::int64_t memory_bytes = 0;
  std::optional<std::int64_t> swap_used_bytes, disk_free_bytes, disk_total_bytes;
  std::optional<double> load_average;
  std::optional<std::int64_t> gpu_cores;
  std::vector<Accelerator> accelerators;
  std::optional<Interconnect> interconnect;
  std::optional<Network> network;
  std::vector<Ceiling> ceilings;
  std::optional<LibtorchInfo> libtorch;
  PowerInfo power;
  std::map<std::string, std::string> environment;
};

template <>
inline constexpr auto kFields<HostInfo> =
    table("host", field<&HostInfo::name>({"The CPU's model with a short random id, unless --host-name was given."}),
          field<&HostInfo::os>({"The operating system."}), field<&HostInfo::cpu>({"The CPU."}),
          field<&HostInfo::memory_bytes>({"Its memory.", "B"}),
          field<&HostInfo::swap_used_bytes>({"Memory that was swapped out when the run began.", "B"}),
          field<&HostInfo::disk_free_bytes>({"Free space where the reports are.", "B"}),
          field<&HostInfo::disk_total_bytes>({"Size of that file system.", "B"}),
          field<&HostInfo::load_average>({"Average over the last minute before the run began."}),
          field<&HostInfo::gpu_cores>({"Cores of an Apple GPU."}), field<&HostInfo::accelerators>({"The GPUs."}),
          field<&HostInfo::interconnect>({"How several NVIDIA GPUs are connected."}),
          field<&HostInfo::network>({"What reaches rank 0, if a launcher has started the run."}),
          field<&HostInfo::ceilings>({"The rates that mpsbench-ops measured, as far as they are known."}),
          field<&HostInfo::libtorch>({"What the worker runs with; null: none started."}),
          field<&HostInfo::power>({"Where its power comes from."}),
          field<&HostInfo::environment>({"The variables that change speed; docs/report.md lists them."}));

// Version, commit, build type and compiler of this build.
[[nodiscard]] ToolInfo tool_info();
// Returns one line, such as "mpsbench 0.1.0 (Release, GNU 12.2.0, a1b2c3d4e5f6)".
[[nodiscard]] std::string version_text();

}  // namespace mpsbench::schema
