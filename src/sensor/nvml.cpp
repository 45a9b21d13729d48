#include "sensor/nvml.hpp"

#include <dlfcn.h>

#include <array>
#include <utility>

namespace mpsbench::sensor {

namespace {

namespace name = schema::sensor;

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

constexpr double kMega = 1e6;
constexpr double kMilli = 1e-3;

template <typename Number>
std::optional<double> in_units(const std::optional<Number>& number, double unit) {
  return number ? std::optional(static_cast<double>(*number) * unit) : std::nullopt;
}

template <typename Value>
void add(Readings& into, const char* quantity, const std::optional<Value>& value) {
  if (value) into[quantity] = static_cast<double>(*value);
}

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

template <typename Answer, typename... Arguments>
std::optional<Answer> NvmlDevice::ask(const char* name, Arguments... arguments) const {
  Answer answer{};
  return library_->call(name, handle_, arguments..., &answer) == Nvml::kSuccess ? std::optional(answer) : std::nullopt;
}

std::optional<double> NvmlDevice::clock_hertz() const {
  return in_units(ask<unsigned int>("nvmlDeviceGetClockInfo", kMultiprocessors), kMega);
}
std::optional<double> NvmlDevice::max_clock_hertz() const {
  return in_units(ask<unsigned int>("nvmlDeviceGetMaxClockInfo", kMultiprocessors), kMega);
}
std::optional<double> NvmlDevice::temperature_celsius() const {
  return in_units(ask<unsigned int>("nvmlDeviceGetTemperature", kDie), 1);
}
std::optional<double> NvmlDevice::power_watts() const {
  return in_units(ask<unsigned int>("nvmlDeviceGetPowerUsage"), kMilli);
}
std::optional<double> NvmlDevice::energy_joules() const {
  return in_units(ask<unsigned long long>("nvmlDeviceGetTotalEnergyConsumption"), kMilli);
}

std::optional<std::uint64_t> NvmlDevice::slowdowns() const {
  // This name is from before driver 535; later drivers still have it.
  const auto bits = ask<unsigned long long>("nvmlDeviceGetCurrentClocksThrottleReasons");
  return bits ? bits : ask<unsigned long long>("nvmlDeviceGetCurrentClocksEventReasons");
}

std::optional<double> NvmlDevice::utilization() const {
  // Percent: busy with kernels, busy with memory.
  const auto busy = ask<std::array<unsigned int, 2>>("nvmlDeviceGetUtilizationRates");
  return busy ? std::optional(busy->front() / 100.0) : std::nullopt;
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
  const auto bytes = ask<std::array<unsigned long long, 3>>("nvmlDeviceGetMemoryInfo");  // total, free, used
  return bytes ? std::optional(static_cast<std::int64_t>(bytes->back())) : std::nullopt;
}

std::optional<PciPlace> NvmlDevice::place() const {
  const auto info = ask<PciInfo>("nvmlDeviceGetPciInfo_v3");
  return info ? std::optional(place_of(*info)) : std::nullopt;
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
  return ask<int>("nvmlDeviceGetTopologyCommonAncestor", other.handle_);
}

std::optional<bool> NvmlDevice::has_peer_access(const NvmlDevice& other) const {
  const auto status = ask<int>("nvmlDeviceGetP2PStatus", other.handle_, kReading);
  return status && *status != kUnknownStatus ? std::optional(*status == kWorks) : std::nullopt;
}

NvmlGpu::NvmlGpu(const std::shared_ptr<const Nvml>& nvml, const std::string& pci_bus_id) {
  if (nvml == nullptr) {
    problem_ = "NVIDIA's management library (NVML) does not load";
    return;
  }
  device_ = nvml->device_at(pci_bus_id);
  if (!device_) problem_ = "NVML finds no GPU at " + pci_bus_id;
}

void NvmlGpu::read(Readings& into) {
  if (!device_) return;
  add(into, name::kGpuEnergy, device_->energy_joules());  // first: as close as possible to the start and end
  add(into, name::kGpuClock, device_->clock_hertz());
  add(into, name::kGpuMaxClock, device_->max_clock_hertz());
  add(into, name::kGpuTemperature, device_->temperature_celsius());
  add(into, name::kGpuPower, device_->power_watts());
  add(into, name::kGpuUtilization, device_->utilization());
  const auto slowdowns = device_->slowdowns();
  if (!slowdowns) return;
  const auto any = [&](std::uint64_t bits) { return (*slowdowns & bits) != 0 ? 1.0 : 0.0; };
  into[name::kGpuThrottled] = any(Slowdown::kSwThermal | Slowdown::kHwThermal | Slowdown::kHwPowerBrake);
  into[name::kGpuSwPowerCap] = any(Slowdown::kSwPowerCap);
  into[name::kGpuHwSlowdown] = any(Slowdown::kHwSlowdown);
  into[name::kGpuClocksSetting] = any(Slowdown::kClocksSetting);
}

std::vector<MissingSensor> NvmlGpu::missing() const {
  if (!device_) return {{name::kGpuEnergy, problem_, ""}, {name::kGpuThrottled, problem_, ""}};
  std::vector<MissingSensor> missing;
  if (!device_->energy_joules())
    missing.push_back({name::kGpuEnergy, "this GPU has no energy counter (NVIDIA's have one since Volta)", ""});
  if (!device_->slowdowns()) missing.push_back({name::kGpuThrottled, "this GPU does not report it", ""});
  return missing;
}

std::optional<std::string> NvmlGpu::name() const {
  return device_ ? device_->name() : std::nullopt;
}

Readings NvmlGpu::others() const {
  Readings readings;
  if (!device_) return readings;
  add(readings, name::kGpuOtherProcesses, device_->processes());
  add(readings, name::kGpuOtherMemory, device_->memory_used());
  add(readings, name::kGpuOtherUtilization, device_->utilization());
  return readings;
}

std::vector<GpuUse> gpus_in_use(const std::string& library) {
  std::vector<GpuUse> uses;
  const auto nvml = Nvml::open(library);
  if (nvml == nullptr) return uses;
  for (const NvmlDevice& device : nvml->devices()) {
    uses.push_back(
        {device.name().value_or("NVIDIA GPU"), device.processes(), device.memory_used(), device.utilization()});
  }
  return uses;
}

}  // namespace mpsbench::sensor
