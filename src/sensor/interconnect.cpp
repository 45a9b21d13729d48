#include "sensor/interconnect.hpp"

#include "base/system_file.hpp"
#include "sensor/nvml.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>

namespace mpsbench::sensor {
namespace {

using schema::GpuPath;

struct Gpu {
  NvmlDevice device;
  std::optional<PciPlace> place;
  std::vector<NvLink> links;
};

// The kernel has no number, or -1, if it does not know the node.
std::optional<std::int64_t> numa_node(const std::filesystem::path& root,
                                      const std::optional<PciPlace>& place) {
  if (!place) return std::nullopt;
  std::array<char, 32> id{};
  std::snprintf(id.data(), id.size(), "%04x:%02x:%02x.0", place->domain, place->bus, place->device);
  const auto node = base::read_whole_number(root / "sys/bus/pci/devices" / id.data() / "numa_node");
  return node && *node >= 0 ? node : std::nullopt;
}

// Returns how many links lead to the other GPU, directly or through switches, to which both are connected.
std::int64_t links_between(const Gpu& one, const Gpu& other) {
  const auto to_hub = [](const NvLink& link) { return link.end == NvLink::End::hub; };
  const auto direct = std::ranges::count_if(
      one.links, [&](const NvLink& link) { return link.gpu && link.gpu == other.place; });
  return direct +
         std::min(std::ranges::count_if(one.links, to_hub), std::ranges::count_if(other.links, to_hub));
}

GpuPath path_of(const std::optional<int>& ancestor) {
  switch (ancestor.value_or(-1)) {
    case CommonAncestor::kBoard:
      return GpuPath::board;
    case CommonAncestor::kSwitch:
      return GpuPath::pcie_switch;
    case CommonAncestor::kSwitches:
      return GpuPath::pcie_switches;
    case CommonAncestor::kHostBridge:
      return GpuPath::host_bridge;
    case CommonAncestor::kNode:
      return GpuPath::node;
    case CommonAncestor::kSystem:
      return GpuPath::system;
    default:
      return GpuPath::unknown;
  }
}

}  // namespace

std::optional<schema::Interconnect> read_interconnect(const Places& places) {
  const auto nvml = Nvml::open(places.nvml);
  if (nvml == nullptr) return std::nullopt;
  std::vector<Gpu> gpus;
  for (const NvmlDevice& device : nvml->devices())
    gpus.push_back({device, device.place(), device.active_links()});
  if (gpus.size() < 2) return std::nullopt;
  schema::Interconnect found;
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    found.numa_nodes.push_back(numa_node(places.root, gpus[i].place));
    for (std::size_t k = i + 1; k < gpus.size(); ++k) {
      const std::int64_t links = links_between(gpus[i], gpus[k]);
      found.pairs.push_back(
          {.first = static_cast<std::int64_t>(i),
           .second = static_cast<std::int64_t>(k),
           .path = links > 0 ? GpuPath::nvlink : path_of(gpus[i].device.common_ancestor(gpus[k].device)),
           .nvlinks = links,
           .peer_access = gpus[i].device.has_peer_access(gpus[k].device)});
    }
  }
  return found;
}

}  // namespace mpsbench::sensor
