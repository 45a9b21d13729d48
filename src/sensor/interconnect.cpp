#include "sensor/interconnect.hpp"

#include "base/system_files.hpp"
#include "base/units.hpp"
#include "sensor/nvml.hpp"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <memory>
#include <set>
#include <system_error>

namespace mpsbench::sensor {

namespace {

using schema::GpuPath;

struct Gpu {
  NvmlDevice device;
  std::optional<PciPlace> place;
  NvLinks links;
};

// The kernel has no number, or -1, if it does not know the node.
std::optional<std::int64_t> numa_node(const std::filesystem::path& root, const std::optional<PciPlace>& place) {
  if (!place) return std::nullopt;
  std::array<char, 32> id{};
  std::snprintf(id.data(), id.size(), "%04x:%02x:%02x.0", place->domain, place->bus, place->device);
  const auto node = base::read_whole_number(root / "sys/bus/pci/devices" / id.data() / "numa_node");
  return node && *node >= 0 ? node : std::nullopt;
}

// Returns how many links lead to the other GPU, directly or through switches, to which both are connected.
std::int64_t links_between(const Gpu& one, const Gpu& other) {
  const auto direct = other.place ? std::ranges::count(one.links.gpus, *other.place) : 0;
  return direct + std::min(one.links.switches, other.links.switches);
}

GpuPath path_of(const std::optional<int>& ancestor) {
  constexpr std::pair<int, GpuPath> kPaths[]{{0, GpuPath::board},          {10, GpuPath::pcie_switch},
                                             {20, GpuPath::pcie_switches}, {30, GpuPath::host_bridge},
                                             {40, GpuPath::node},          {50, GpuPath::system}};
  for (const auto& [level, path] : kPaths) {
    if (ancestor == level) return path;
  }
  return GpuPath::unknown;
}

namespace fs = std::filesystem;

struct FreeAddresses {
  void operator()(addrinfo* list) const { ::freeaddrinfo(list); }
  void operator()(ifaddrs* list) const { ::freeifaddrs(list); }
};
using Addresses = std::unique_ptr<addrinfo, FreeAddresses>;
using Interfaces = std::unique_ptr<ifaddrs, FreeAddresses>;

Interfaces interfaces() {
  ifaddrs* list = nullptr;
  return Interfaces(::getifaddrs(&list) == 0 ? list : nullptr);
}

Addresses addresses_of(const std::string& host) {
  addrinfo wanted{};
  wanted.ai_family = AF_UNSPEC;
  wanted.ai_socktype = SOCK_DGRAM;
  addrinfo* list = nullptr;
  return Addresses(::getaddrinfo(host.c_str(), "9", &wanted, &list) == 0 ? list : nullptr);
}

// Returns the address of this machine from which TARGET is reached. Connecting a UDP socket sends nothing.
std::optional<sockaddr_storage> own_address(const addrinfo& target) {
  const int socket = ::socket(target.ai_family, SOCK_DGRAM, 0);
  if (socket < 0) return std::nullopt;
  sockaddr_storage own{};
  socklen_t size = sizeof(own);
  const bool found = ::connect(socket, target.ai_addr, target.ai_addrlen) == 0 &&
                     ::getsockname(socket, reinterpret_cast<sockaddr*>(&own), &size) == 0;
  ::close(socket);
  return found ? std::optional(own) : std::nullopt;
}

// Compares the addresses without ports.
bool same_host(const sockaddr& one, const sockaddr& other) {
  if (one.sa_family != other.sa_family) return false;
  if (one.sa_family == AF_INET)
    return reinterpret_cast<const sockaddr_in&>(one).sin_addr.s_addr ==
           reinterpret_cast<const sockaddr_in&>(other).sin_addr.s_addr;
  return one.sa_family == AF_INET6 &&
         std::memcmp(&reinterpret_cast<const sockaddr_in6&>(one).sin6_addr,
                     &reinterpret_cast<const sockaddr_in6&>(other).sin6_addr, sizeof(in6_addr)) == 0;
}

std::optional<std::string> interface_with(const sockaddr_storage& address) {
  const Interfaces all = interfaces();
  for (const ifaddrs* one = all.get(); one != nullptr; one = one->ifa_next) {
    if (one->ifa_addr != nullptr && same_host(*one->ifa_addr, reinterpret_cast<const sockaddr&>(address)))
      return one->ifa_name;
  }
  return std::nullopt;
}

std::optional<std::string> interface_to(const std::string& host) {
  const Addresses targets = addresses_of(host);
  for (const addrinfo* target = targets.get(); target != nullptr; target = target->ai_next) {
    const auto own = own_address(*target);
    if (auto name = own ? interface_with(*own) : std::nullopt) return name;
  }
  return std::nullopt;
}

// The kernel has -1, or nothing that can be read, if it does not know the speed.
std::optional<double> interface_speed(const fs::path& root, const std::string& name) {
  const auto megabits = base::read_whole_number(root / "sys/class/net" / name / "speed");
  return megabits && *megabits > 0 ? std::optional(static_cast<double>(*megabits) * 1e6) : std::nullopt;
}

std::vector<fs::path> folders_in(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) found.push_back(entry.path());
  std::sort(found.begin(), found.end());
  return found;
}

// An active port has "4: ACTIVE" in its file state, and a rate such as "400 Gb/sec (4X NDR)".
std::vector<schema::InfinibandPort> active_ports(const fs::path& root) {
  std::vector<schema::InfinibandPort> ports;
  for (const fs::path& device : folders_in(root / "sys/class/infiniband")) {
    for (const fs::path& port : folders_in(device / "ports")) {
      if (!base::read_first_line(port / "state").starts_with("4:")) continue;
      const std::string rate = base::read_first_line(port / "rate");
      const auto gigabits = base::parse_number(rate.substr(0, rate.find(' ')));
      ports.push_back({device.filename().string(), base::parse_whole_number(port.filename().string()).value_or(0),
                       gigabits ? std::optional(*gigabits * 1e9) : std::nullopt});
    }
  }
  return ports;
}

}  // namespace

std::optional<schema::Interconnect> read_interconnect(const Places& places) {
  const auto nvml = Nvml::open(places.nvml);
  if (nvml == nullptr) return std::nullopt;
  std::vector<Gpu> gpus;
  for (const NvmlDevice& device : nvml->devices()) gpus.push_back({device, device.place(), device.active_links()});
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

std::optional<schema::Network> read_network(const fs::path& root, const std::string& address) {
  const auto name = interface_to(address);
  if (!name) return std::nullopt;
  return schema::Network{*name, interface_speed(root, *name), active_ports(root)};
}

std::vector<std::string> network_interfaces() {
  std::set<std::string> names;
  const Interfaces all = interfaces();
  for (const ifaddrs* one = all.get(); one != nullptr; one = one->ifa_next) {
    if (one->ifa_addr != nullptr) names.insert(one->ifa_name);
  }
  return {names.begin(), names.end()};
}

}  // namespace mpsbench::sensor
