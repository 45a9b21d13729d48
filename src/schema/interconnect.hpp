// How the GPUs of one machine are connected, and the network that its processes use to reach other machines.
#pragma once

#include "base/json_reader.hpp"
#include "schema/closed_set.hpp"

#include <nlohmann/json.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::schema {

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

// Of two GPUs or more.
struct Interconnect {
  std::vector<std::optional<std::int64_t>> numa_nodes;  // of each GPU
  std::vector<GpuPair> pairs;

  bool operator==(const Interconnect&) const = default;
};

struct InfinibandPort {
  std::string device;
  std::int64_t port = 0;
  std::optional<double> bits_per_second;

  bool operator==(const InfinibandPort&) const = default;
};

struct Network {
  std::string interface;                   // with which the address of rank 0 is reached
  std::optional<double> bits_per_second;   // nullopt: the system does not say, as for "lo"
  std::vector<InfinibandPort> infiniband;  // active ports, which NCCL prefers

  bool operator==(const Network&) const = default;
};

// Returns a text such as "NVLink, 18 links".
[[nodiscard]] std::string path_text(const GpuPair& pair);
// Returns the different paths between the GPUs, such as "NVLink, 18 links" or "one PCIe switch; NVLink, 4
// links".
[[nodiscard]] std::string paths_text(const Interconnect& interconnect);
// Returns a text such as "eth0, 25 Gb/s; InfiniBand mlx5_0, 400 Gb/s".
[[nodiscard]] std::string network_text(const Network& network);

[[nodiscard]] nlohmann::ordered_json to_json(const Interconnect& interconnect);
[[nodiscard]] nlohmann::ordered_json to_json(const Network& network);
[[nodiscard]] Interconnect read_interconnect(base::Reader reader);
[[nodiscard]] Network read_network(base::Reader reader);

}  // namespace mpsbench::schema
