#include "sensor/nvml.hpp"

#include <dlfcn.h>

#include <array>
#include <utility>

namespace mpsbench::sensor {

namespace {

// NVML's numbers for the clock and the temperature sensor to read.
constexpr int kMultiprocessors = 1;  // NVML_CLOCK_SM
constexpr int kDie = 0;              // NVML_TEMPERATURE_GPU

// What NVML says about the connections between GPUs.

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

std::shared_ptr<const Nvml> Nvml::open(const std::string& library) {
  void* handle = ::dlopen(library.c_str(), RTLD_LAZY | RTLD_LOCAL);
  if (handle == nullptr) return nullptr;
  std::shared_ptr<const Nvml> nvml(new Nvml(handle));
  return nvml->call("nvmlInit_v2") == kSuccess ? nvml : nullptr;
}

Nvml::~Nvml() {
  call("nvmlShutdown");  // only returns an error if nvmlInit had failed
  ::dlclose(handle_);
}

void* Nvml::symbol(const char* name) const {
  return ::dlsym(handle_, name);
}

std::vector<NvmlDevice> Nvml::devices() const {
  std::vector<NvmlDevice> all;
  unsigned int count = 0;
  if (call("nvmlDeviceGetCount_v2", &count) != kSuccess) return all;
  for (unsigned int i = 0; i < count; ++i) {
    void* device = nullptr;
    if (call("nvmlDeviceGetHandleByIndex_v2", i, &device) == kSuccess)
      all.push_back(NvmlDevice(shared_from_this(), device));
  }
  return all;
}

std::optional<NvmlDevice> Nvml::device_at(const std::string& pci_bus_id) const {
  void* device = nullptr;
  if (call("nvmlDeviceGetHandleByPciBusId_v2", pci_bus_id.c_str(), &device) != kSuccess) return std::nullopt;
  return NvmlDevice(shared_from_this(), device);
}

NvmlDevice::NvmlDevice(std::shared_ptr<const Nvml> library, void* handle)
    : library_(std::move(library)), handle_(handle) {}

std::optional<std::string> NvmlDevice::name() const {
  std::array<char, 96> text{};
  const auto size = static_cast<unsigned int>(text.size());
  if (library_->call("nvmlDeviceGetName", handle_, text.data(), size) != Nvml::kSuccess) return std::nullopt;
  return text.data();
}

std::optional<double> NvmlDevice::clock_hertz() const {
  unsigned int megahertz = 0;
  if (library_->call("nvmlDeviceGetClockInfo", handle_, kMultiprocessors, &megahertz) != Nvml::kSuccess)
    return std::nullopt;
  return megahertz * 1e6;
}

std::optional<double> NvmlDevice::max_clock_hertz() const {
  unsigned int megahertz = 0;
  if (library_->call("nvmlDeviceGetMaxClockInfo", handle_, kMultiprocessors, &megahertz) != Nvml::kSuccess)
    return std::nullopt;
  return megahertz * 1e6;
}

std::optional<double> NvmlDevice::temperature_celsius() const {
  unsigned int celsius = 0;
  if (library_->call("nvmlDeviceGetTemperature", handle_, kDie, &celsius) != Nvml::kSuccess) return std::nullopt;
  return celsius;
}

std::optional<double> NvmlDevice::power_watts() const {
  unsigned int milliwatts = 0;
  if (library_->call("nvmlDeviceGetPowerUsage", handle_, &milliwatts) != Nvml::kSuccess) return std::nullopt;
  return milliwatts * 1e-3;
}

std::optional<double> NvmlDevice::energy_joules() const {
  unsigned long long millijoules = 0;
  if (library_->call("nvmlDeviceGetTotalEnergyConsumption", handle_, &millijoules) != Nvml::kSuccess)
    return std::nullopt;
  return static_cast<double>(millijoules) * 1e-3;
}

std::optional<std::uint64_t> NvmlDevice::slowdowns() const {
  unsigned long long bits = 0;
  // This name is from before driver 535; later drivers still have it.
  if (library_->call("nvmlDeviceGetCurrentClocksThrottleReasons", handle_, &bits) != Nvml::kSuccess &&
      library_->call("nvmlDeviceGetCurrentClocksEventReasons", handle_, &bits) != Nvml::kSuccess)
    return std::nullopt;
  return bits;
}

std::optional<double> NvmlDevice::utilization() const {
  std::array<unsigned int, 2> percent{};  // busy with kernels, busy with memory
  if (library_->call("nvmlDeviceGetUtilizationRates", handle_, percent.data()) != Nvml::kSuccess) return std::nullopt;
  return percent[0] / 100.0;
}

std::optional<std::int64_t> NvmlDevice::processes() const {
  // Without room for the processes' records, NVML only counts them.
  for (const char* name : {"nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetComputeRunningProcesses_v2",
                           "nvmlDeviceGetComputeRunningProcesses"}) {
    unsigned int count = 0;
    void* none = nullptr;
    const int result = library_->call(name, handle_, &count, none);
    if (result == Nvml::kSuccess || result == Nvml::kInsufficientSize) return count;
  }
  return std::nullopt;
}

std::optional<std::int64_t> NvmlDevice::memory_used() const {
  std::array<unsigned long long, 3> bytes{};  // total, free, used
  if (library_->call("nvmlDeviceGetMemoryInfo", handle_, bytes.data()) != Nvml::kSuccess) return std::nullopt;
  return static_cast<std::int64_t>(bytes[2]);
}

std::optional<PciPlace> NvmlDevice::place() const {
  PciInfo info{};
  if (library_->call("nvmlDeviceGetPciInfo_v3", handle_, &info) != Nvml::kSuccess) return std::nullopt;
  return place_of(info);
}

std::vector<NvLink> NvmlDevice::active_links() const {
  std::vector<NvLink> links;
  for (unsigned int i = 0; i < kMostLinks; ++i) {
    int is_active = 0;
    if (library_->call("nvmlDeviceGetNvLinkState", handle_, i, &is_active) != Nvml::kSuccess || is_active == 0)
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
