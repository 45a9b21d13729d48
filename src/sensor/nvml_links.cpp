// What NVML says about the connections between GPUs.
#include "sensor/nvml.hpp"

#include <array>

namespace mpsbench::sensor {
namespace {

constexpr unsigned int kMostLinks = 36;  // NVML_NVLINK_MAX_LINKS
constexpr int kReading = 0;              // NVML_P2P_CAPS_INDEX_READ
constexpr int kWorks = 0;                // NVML_P2P_STATUS_OK
constexpr int kUnknownStatus = 6;        // NVML_P2P_STATUS_UNKNOWN
constexpr int kToGpu = 0;                // NVML_NVLINK_DEVICE_TYPE_GPU
constexpr int kToSwitch = 2;             // NVML_NVLINK_DEVICE_TYPE_SWITCH

// NVML's nvmlPciInfo_t.
struct PciInfo {
  std::array<char, 16> old_id;
  unsigned int domain;
  unsigned int bus;
  unsigned int device;
  unsigned int model;
  unsigned int board;
  std::array<char, 32> id;
};
static_assert(sizeof(PciInfo) == 68);

PciPlace place_of(const PciInfo& info) {
  return {info.domain, info.bus, info.device};
}

}  // namespace

std::optional<PciPlace> NvmlDevice::place() const {
  PciInfo info{};
  if (library_->call("nvmlDeviceGetPciInfo_v3", handle_, &info) != Nvml::kSuccess) return std::nullopt;
  return place_of(info);
}

std::vector<NvLink> NvmlDevice::active_links() const {
  std::vector<NvLink> links;
  for (unsigned int i = 0; i < kMostLinks; ++i) {
    int is_active = 0;
    if (library_->call("nvmlDeviceGetNvLinkState", handle_, i, &is_active) != Nvml::kSuccess ||
        is_active == 0)
      continue;
    NvLink link;
    int type = kToGpu;  // older drivers do not say it; then the place decides
    library_->call("nvmlDeviceGetNvLinkRemoteDeviceType", handle_, i, &type);
    PciInfo info{};
    if (type == kToSwitch) {
      link.end = NvLink::End::hub;
    } else if (type == kToGpu &&
               library_->call("nvmlDeviceGetNvLinkRemotePciInfo_v2", handle_, i, &info) == Nvml::kSuccess) {
      link.end = NvLink::End::gpu;
      link.gpu = place_of(info);
    }
    links.push_back(link);
  }
  return links;
}

std::optional<int> NvmlDevice::common_ancestor(const NvmlDevice& other) const {
  int level = 0;
  if (library_->call("nvmlDeviceGetTopologyCommonAncestor", handle_, other.handle_, &level) != Nvml::kSuccess)
    return std::nullopt;
  return level;
}

std::optional<bool> NvmlDevice::has_peer_access(const NvmlDevice& other) const {
  int status = kUnknownStatus;
  if (library_->call("nvmlDeviceGetP2PStatus", handle_, other.handle_, kReading, &status) != Nvml::kSuccess ||
      status == kUnknownStatus)
    return std::nullopt;
  return status == kWorks;
}

}  // namespace mpsbench::sensor
