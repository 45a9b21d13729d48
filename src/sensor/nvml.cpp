#include "sensor/nvml.hpp"

#include <dlfcn.h>

#include <array>

namespace mpsbench::sensor {

namespace {

namespace name = schema::sensor;

// NVML's numbers.
constexpr int kMultiprocessors = 1;      // NVML_CLOCK_SM
constexpr int kDie = 0;                  // NVML_TEMPERATURE_GPU
constexpr int kInsufficientSize = 7;     // NVML_ERROR_INSUFFICIENT_SIZE
constexpr unsigned int kMostLinks = 36;  // NVML_NVLINK_MAX_LINKS
constexpr int kReading = 0;              // NVML_P2P_CAPS_INDEX_READ
constexpr int kWorks = 0;                // NVML_P2P_STATUS_OK
constexpr int kUnknownStatus = 6;        // NVML_P2P_STATUS_UNKNOWN
constexpr int kToGpu = 0;                // NVML_NVLINK_DEVICE_TYPE_GPU
constexpr int kToSwitch = 2;             // NVML_NVLINK_DEVICE_TYPE_SWITCH

// NVML's reasons why a clock is below its highest value.
constexpr std::pair<const char*, unsigned long long> kSlowdowns[]{
    {name::kGpuThrottled, 0x20 | 0x40 | 0x80},  // heat (software, hardware), power brake
    {name::kGpuSwPowerCap, 0x4},
    {name::kGpuHwSlowdown, 0x8},
    {name::kGpuClocksSetting, 0x2}};

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

template <typename Value>
void add(Readings& into, const char* quantity, const std::optional<Value>& value, double unit = 1) {
  if (value) into[quantity] = static_cast<double>(*value) * unit;
}

std::optional<unsigned long long> energy_millijoules(const NvmlDevice& device) {  // since the driver was loaded
  return device.ask<unsigned long long>("nvmlDeviceGetTotalEnergyConsumption");
}

std::optional<unsigned long long> slowdowns(const NvmlDevice& device) {
  // This name is from before driver 535; later drivers still have it.
  const auto bits = device.ask<unsigned long long>("nvmlDeviceGetCurrentClocksThrottleReasons");
  return bits ? bits : device.ask<unsigned long long>("nvmlDeviceGetCurrentClocksEventReasons");
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
    if (call("nvmlDeviceGetHandleByIndex_v2", i, &device) == kSuccess) all.emplace_back(shared_from_this(), device);
  }
  return all;
}

std::optional<NvmlDevice> Nvml::device_at(const std::string& pci_bus_id) const {
  void* device = nullptr;
  if (call("nvmlDeviceGetHandleByPciBusId_v2", pci_bus_id.c_str(), &device) != kSuccess) return std::nullopt;
  return NvmlDevice(shared_from_this(), device);
}

std::optional<std::string> NvmlDevice::name() const {
  std::array<char, 96> text{};
  const auto size = static_cast<unsigned int>(text.size());
  if (library_->call("nvmlDeviceGetName", handle_, text.data(), size) != Nvml::kSuccess) return std::nullopt;
  return text.data();
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
    if (result == Nvml::kSuccess || result == kInsufficientSize) return count;
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

NvLinks NvmlDevice::active_links() const {
  NvLinks links;
  for (unsigned int i = 0; i < kMostLinks; ++i) {
    if (ask<int>("nvmlDeviceGetNvLinkState", i).value_or(0) == 0) continue;
    // Older drivers do not say the type; then the place decides.
    const int type = ask<int>("nvmlDeviceGetNvLinkRemoteDeviceType", i).value_or(kToGpu);
    if (type == kToSwitch) ++links.switches;
    if (type != kToGpu) continue;
    if (const auto info = ask<PciInfo>("nvmlDeviceGetNvLinkRemotePciInfo_v2", i)) links.gpus.push_back(place_of(*info));
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
  const auto number = [&](const char* function, auto... which) {
    return device_->ask<unsigned int>(function, which...);
  };
  add(into, name::kGpuEnergy, energy_millijoules(*device_), kMilli);  // first: close to the start and end
  add(into, name::kGpuClock, number("nvmlDeviceGetClockInfo", kMultiprocessors), kMega);
  add(into, name::kGpuMaxClock, number("nvmlDeviceGetMaxClockInfo", kMultiprocessors), kMega);
  add(into, name::kGpuTemperature, number("nvmlDeviceGetTemperature", kDie));
  add(into, name::kGpuPower, number("nvmlDeviceGetPowerUsage"), kMilli);
  add(into, name::kGpuUtilization, device_->utilization());
  const auto reasons = slowdowns(*device_);
  if (!reasons) return;
  for (const auto& [quantity, bits] : kSlowdowns) into[quantity] = (*reasons & bits) != 0 ? 1 : 0;
}

std::vector<MissingSensor> NvmlGpu::missing() const {
  if (!device_) return {{name::kGpuEnergy, problem_}, {name::kGpuThrottled, problem_}};
  std::vector<MissingSensor> missing;
  if (!energy_millijoules(*device_))
    missing.push_back({name::kGpuEnergy, "this GPU has no energy counter (NVIDIA's have one since Volta)"});
  if (!slowdowns(*device_)) missing.push_back({name::kGpuThrottled, "this GPU does not report it"});
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
