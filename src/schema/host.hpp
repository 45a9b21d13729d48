// What a report says about the machine and the tool. Reports are made to be shared, so this never contains a
// user name, serial number or home folder.
#pragma once

#include "base/json_reader.hpp"
#include "schema/ceiling.hpp"
#include "schema/closed_set.hpp"
#include "schema/device_id.hpp"
#include "schema/field_json.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::schema {

// How the GPUs of one machine are connected, and the network that its processes use to reach other machines.

// The path between two GPUs, the fastest first. All but NVLink are levels of the PCIe tree.
enum class GpuPath { nvlink, board, pcie_switch, pcie_switches, host_bridge, node, system, unknown };

struct GpuPathRow {
  GpuPath value;
  std::string_view name;
  std::string_view words;
};

template <>
struct ClosedSet<GpuPath> {
  static constexpr const char* kWhat = "path between GPUs";
  static constexpr std::array kRows{
      GpuPathRow{GpuPath::nvlink, "nvlink", "NVLink"},
      GpuPathRow{GpuPath::board, "board", "PCIe on one board"},
      GpuPathRow{GpuPath::pcie_switch, "pcie-switch", "one PCIe switch"},
      GpuPathRow{GpuPath::pcie_switches, "pcie-switches", "several PCIe switches"},
      GpuPathRow{GpuPath::host_bridge, "host-bridge", "PCIe through the CPU's host bridge"},
      GpuPathRow{GpuPath::node, "node", "PCIe through host bridges of one NUMA node"},
      GpuPathRow{GpuPath::system, "system", "PCIe through the connection between NUMA nodes"},
      GpuPathRow{GpuPath::unknown, "unknown", "an unknown path"}};
};
static_assert(is_whole<GpuPath>());

struct GpuPair {
  std::int64_t first = 0;  // numbers of NVML, which nvidia-smi shows
  std::int64_t second = 0;
  GpuPath path = GpuPath::unknown;
  std::int64_t nvlinks = 0;  // active NVLinks of each GPU, directly to the other or to switches
  // Whether one reads the other's memory without the host; nullopt: the driver does not say.
  std::optional<bool> peer_access{};

  bool operator==(const GpuPair&) const = default;
};

inline constexpr Field<GpuPair, std::int64_t, GpuPath, std::optional<bool>> kPairFields[] = {
    {"first", &GpuPair::first, {"Number of a GPU, as nvidia-smi shows it."}},
    {"second", &GpuPair::second, {"Number of the other."}},
    {"path", &GpuPair::path, {"The path between them."}},
    {"nvlinks", &GpuPair::nvlinks, {"Active NVLinks of each GPU, directly to the other or to switches."}},
    {"peer_access",
     &GpuPair::peer_access,
     {"Whether one reads the other's memory without the host. Null: the driver does not say."}},
};

template <>
struct Json<GpuPair> : ObjectJson<GpuPair, kPairFields> {};

// Of two GPUs or more.
struct Interconnect {
  std::vector<std::optional<std::int64_t>> numa_nodes;  // of each GPU
  std::vector<GpuPair> pairs;

  bool operator==(const Interconnect&) const = default;
};

inline constexpr Field<Interconnect, std::vector<std::optional<std::int64_t>>, std::vector<GpuPair>>
    kInterconnectFields[] = {
        {"numa_nodes", &Interconnect::numa_nodes, {"The NUMA node of each GPU, in the order of nvidia-smi."}},
        {"pairs", &Interconnect::pairs, {"How each two GPUs are connected."}},
};

template <>
struct Json<Interconnect> : ObjectJson<Interconnect, kInterconnectFields, "interconnect"> {};

struct InfinibandPort {
  std::string device;
  std::int64_t port = 0;
  std::optional<double> bits_per_second;

  bool operator==(const InfinibandPort&) const = default;
};

inline constexpr Field<InfinibandPort, std::string, std::int64_t, std::optional<double>> kPortFields[] = {
    {"device", &InfinibandPort::device, {"Name of the adapter."}},
    {"port", &InfinibandPort::port, {"Number of its port."}},
    {"bits_per_second", &InfinibandPort::bits_per_second, {"Rate of the port.", "bit/s"}},
};

template <>
struct Json<InfinibandPort> : ObjectJson<InfinibandPort, kPortFields> {};

struct Network {
  std::string interface;                   // with which the address of rank 0 is reached
  std::optional<double> bits_per_second;   // nullopt: the system does not say, as for "lo"
  std::vector<InfinibandPort> infiniband;  // active ports, which NCCL prefers

  bool operator==(const Network&) const = default;
};

inline constexpr Field<Network, std::string, std::optional<double>, std::vector<InfinibandPort>> kNetworkFields[] = {
    {"interface", &Network::interface, {"With which the address of rank 0 is reached."}},
    {"bits_per_second", &Network::bits_per_second, {"Its rate; null: the system does not say.", "bit/s"}},
    {"infiniband", &Network::infiniband, {"Active ports, which NCCL prefers."}},
};

template <>
struct Json<Network> : ObjectJson<Network, kNetworkFields, "network"> {};

// Returns a text such as "NVLink, 18 links".
[[nodiscard]] std::string path_text(const GpuPair& pair);
// Returns the different paths between the GPUs, such as "NVLink, 18 links" or "one PCIe switch; NVLink, 4
// links".
[[nodiscard]] std::string paths_text(const Interconnect& interconnect);
// Returns a text such as "eth0, 25 Gb/s; InfiniBand mlx5_0, 400 Gb/s".
[[nodiscard]] std::string network_text(const Network& network);

struct ToolInfo {
  std::string name = "mpsbench";
  std::string version;
  std::optional<std::string> git_commit;
  std::string build_type;
  std::string compiler;
  // Whether the sources differed from the commit; nullopt: the commit is unknown.
  std::optional<bool> has_uncommitted_changes{};
};

inline constexpr Field<ToolInfo, std::string, std::optional<std::string>, std::optional<bool>> kToolFields[] = {
    {"name", &ToolInfo::name, {"The program's name."}},
    {"version", &ToolInfo::version, {"Its version."}},
    {"git_commit", &ToolInfo::git_commit, {"The commit that it was built from; null: not known."}},
    {"has_uncommitted_changes",
     &ToolInfo::has_uncommitted_changes,
     {"Whether the sources differed from the commit; null: the commit is not known."}},
    {"build_type", &ToolInfo::build_type, {"CMake's build type."}},
    {"compiler", &ToolInfo::compiler, {"Name and version of the compiler."}},
};

template <>
struct Json<ToolInfo> : ObjectJson<ToolInfo, kToolFields, "tool"> {};

// Returns a text such as "a1b2c3d" or "a1b2c3d with uncommitted changes", or "" if the commit is unknown.
[[nodiscard]] std::string commit_text(const ToolInfo& tool);

// Reported by the worker; absent until the first worker has sent its hello event.
struct LibtorchInfo {
  std::string version;  // "2.13.0+cpu", or a development build such as "1.13.0.dev20220522+cu102"
  std::optional<std::string> cuda;
  std::optional<std::string> cudnn;
  std::optional<std::string> blas;
  std::string architecture;                // the one that the library is built for: "x86_64", "arm64"
  std::optional<std::int64_t> size_bytes;  // size of the libraries on disk
  std::int64_t intra_op_threads = 0;
  std::int64_t inter_op_threads = 0;
  std::vector<std::string> openmp_runtimes;  // file names of the loaded ones; more than one distorts timings
  std::string worker_build_type;
};

inline constexpr Field<LibtorchInfo, std::string, std::optional<std::string>, std::optional<std::int64_t>, std::int64_t,
                       std::vector<std::string>>
    kLibtorchFields[] = {
        {"version", &LibtorchInfo::version, {"Such as 2.13.0+cpu."}},
        {"cuda", &LibtorchInfo::cuda, {"Version of CUDA that it was built for."}},
        {"cudnn", &LibtorchInfo::cudnn, {"Version of cuDNN that it runs with."}},
        {"blas", &LibtorchInfo::blas, {"The library of matrix products on the CPU."}},
        {"architecture", &LibtorchInfo::architecture, {"The one that it is built for, such as x86_64."}},
        {"size_bytes", &LibtorchInfo::size_bytes, {"Size of its libraries on the disk.", "B"}},
        {"intra_op_threads",
         &LibtorchInfo::intra_op_threads,
         {"Of the first launch; each case has its own in spec.threads."}},
        {"inter_op_threads",
         &LibtorchInfo::inter_op_threads,
         {"Of the first launch; a case with its own has it in spec.interop_threads."}},
        {"openmp_runtimes",
         &LibtorchInfo::openmp_runtimes,
         {"File names of the OpenMP libraries that are loaded; more than one distorts times."}},
        {"worker_build_type", &LibtorchInfo::worker_build_type, {"CMake's build type of the worker."}},
};

template <>
struct Json<LibtorchInfo> : ObjectJson<LibtorchInfo, kLibtorchFields, "libtorch"> {};

struct Accelerator {
  DeviceId device;
  std::string name;
  std::optional<std::int64_t> memory_bytes;
};

inline constexpr Field<Accelerator, DeviceId, std::string, std::optional<std::int64_t>> kAcceleratorFields[] = {
    {"device", &Accelerator::device, {"Its name here, such as cuda:1."}},
    {"name", &Accelerator::name, {"What its maker calls it."}},
    {"memory_bytes", &Accelerator::memory_bytes, {"Its memory.", "B"}},
};

template <>
struct Json<Accelerator> : ObjectJson<Accelerator, kAcceleratorFields> {};

struct OsInfo {
  std::string name, version, kernel, arch;
};

inline constexpr Field<OsInfo, std::string> kOsFields[] = {
    {"name", &OsInfo::name, {"Name of the system."}},
    {"version", &OsInfo::version, {"Its version."}},
    {"kernel", &OsInfo::kernel, {"Version of its kernel."}},
    {"arch", &OsInfo::arch, {"Architecture, such as arm64."}},
};

template <>
struct Json<OsInfo> : ObjectJson<OsInfo, kOsFields> {};

struct CpuInfo {
  std::string model;
  std::optional<std::int64_t> physical_cores, performance_cores, efficiency_cores;
  std::int64_t logical_cores = 0;
  std::vector<std::string> features;
  std::optional<std::string> governor;
};

inline constexpr Field<CpuInfo, std::string, std::optional<std::int64_t>, std::int64_t, std::vector<std::string>,
                       std::optional<std::string>>
    kCpuFields[] = {
        {"model", &CpuInfo::model, {"What its maker calls it."}},
        {"physical_cores", &CpuInfo::physical_cores, {"Number of cores."}},
        {"performance_cores", &CpuInfo::performance_cores, {"Of these, the fast ones of an Apple CPU."}},
        {"efficiency_cores", &CpuInfo::efficiency_cores, {"Of these, the frugal ones of an Apple CPU."}},
        {"logical_cores", &CpuInfo::logical_cores, {"Number of hardware threads."}},
        {"features", &CpuInfo::features, {"Vector instructions that it has."}},
        {"governor", &CpuInfo::governor, {"What chooses its clock (Linux)."}},
};

template <>
struct Json<CpuInfo> : ObjectJson<CpuInfo, kCpuFields> {};

struct PowerInfo {
  std::optional<std::string> source, mode;  // "ac", "battery"; "low-power", "normal"
};

inline constexpr Field<PowerInfo, std::optional<std::string>> kPowerFields[] = {
    {"source", &PowerInfo::source, {"ac or battery; null: not known."}},
    {"mode", &PowerInfo::mode, {"low-power or normal; null: not known."}},
};

template <>
struct Json<PowerInfo> : ObjectJson<PowerInfo, kPowerFields> {};

struct HostInfo {
  std::string name;  // the CPU's model with a short random id, unless --host-name is given
  OsInfo os;
  CpuInfo cpu;
  std::int64_t memory_bytes = 0;
  std::optional<std::int64_t> swap_used_bytes;
  std::optional<std::int64_t> disk_free_bytes, disk_total_bytes;  // where the reports are
  std::optional<double> load_average;                             // of the last minute before the run began
  std::optional<std::int64_t> gpu_cores;                          // of an Apple GPU
  std::vector<Accelerator> accelerators;
  std::optional<Interconnect> interconnect;  // only of several NVIDIA GPUs
  std::optional<Network> network;            // only if a launcher has started the run
  std::vector<Ceiling> ceilings;             // only for devices that the run uses and whose ceilings are known
  std::optional<LibtorchInfo> libtorch;
  PowerInfo power;
  std::map<std::string, std::string> environment;  // only variables on the allow list
};

inline constexpr Field<HostInfo, std::string, OsInfo, CpuInfo, std::int64_t, std::optional<std::int64_t>,
                       std::optional<double>, std::vector<Accelerator>, std::optional<Interconnect>,
                       std::optional<Network>, std::vector<Ceiling>, std::optional<LibtorchInfo>, PowerInfo,
                       std::map<std::string, std::string>>
    kHostFields[] = {
        {"name", &HostInfo::name, {"The CPU's model with a short random id, unless --host-name was given."}},
        {"os", &HostInfo::os, {"The operating system."}},
        {"cpu", &HostInfo::cpu, {"The CPU."}},
        {"memory_bytes", &HostInfo::memory_bytes, {"Its memory.", "B"}},
        {"swap_used_bytes", &HostInfo::swap_used_bytes, {"Memory that was swapped out when the run began.", "B"}},
        {"disk_free_bytes", &HostInfo::disk_free_bytes, {"Free space where the reports are.", "B"}},
        {"disk_total_bytes", &HostInfo::disk_total_bytes, {"Size of that file system.", "B"}},
        {"load_average", &HostInfo::load_average, {"Average over the last minute before the run began."}},
        {"gpu_cores", &HostInfo::gpu_cores, {"Cores of an Apple GPU."}},
        {"accelerators", &HostInfo::accelerators, {"The GPUs."}},
        {"interconnect", &HostInfo::interconnect, {"How several NVIDIA GPUs are connected."}},
        {"network", &HostInfo::network, {"What reaches rank 0, if a launcher has started the run."}},
        {"ceilings", &HostInfo::ceilings, {"The rates that mpsbench-ops measured, as far as they are known."}},
        {"libtorch", &HostInfo::libtorch, {"What the worker runs with; null: none started."}},
        {"power", &HostInfo::power, {"Where its power comes from."}},
        {"environment", &HostInfo::environment, {"The variables that change speed; docs/report.md lists them."}},
};

template <>
struct Json<HostInfo> : ObjectJson<HostInfo, kHostFields, "host"> {};

// Version, commit, build type and compiler of this build.
[[nodiscard]] ToolInfo tool_info();
// Returns one line, such as "mpsbench 0.1.0 (Release, GNU 12.2.0, a1b2c3d4e5f6)".
[[nodiscard]] std::string version_text();

}  // namespace mpsbench::schema
