#include "sensor/nvml_gpu.hpp"

namespace mpsbench::sensor {
namespace {

namespace name = schema::sensor;

template <typename Value>
void add(Readings& into, const char* quantity, const std::optional<Value>& value) {
  if (value) into[quantity] = static_cast<double>(*value);
}

}  // namespace

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
