// Reads an NVIDIA GPU's sensors.
#pragma once

#include "sensor/nvml.hpp"
#include "sensor/source.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::sensor {

class NvmlGpu final : public Source {
 public:
  // If NVML is null, all quantities are missing.
  NvmlGpu(const std::shared_ptr<const Nvml>& nvml, const std::string& pci_bus_id);

  void read(Readings& into) override;
  [[nodiscard]] std::vector<MissingSensor> missing() const override;

  [[nodiscard]] std::optional<std::string> name() const;

  // Returns how much other processes use the GPU. Call this before the worker opens the GPU.
  [[nodiscard]] Readings others() const;

 private:
  std::optional<NvmlDevice> device_;
  std::string problem_;  // why there is no device
};

// How much each GPU is used now.
struct GpuUse {
  std::string name;
  std::optional<std::int64_t> processes;
  std::optional<std::int64_t> memory_used_bytes;
  std::optional<double> utilization;  // 0 ... 1
};
[[nodiscard]] std::vector<GpuUse> gpus_in_use(const std::string& library);

}  // namespace mpsbench::sensor
