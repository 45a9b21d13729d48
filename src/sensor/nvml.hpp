// The functions of NVIDIA's management library (NVML) that the sensors need, in SI units. The library is
// loaded at run time.
#pragma once

#include "sensor/source.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mpsbench::sensor {

class NvmlDevice;

class Nvml : public std::enable_shared_from_this<Nvml> {
 public:
  static constexpr int kSuccess = 0;

  // LIBRARY is a name for dlopen. Returns null without NVIDIA's driver.
  [[nodiscard]] static std::shared_ptr<const Nvml> open(const std::string& library);
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  [[nodiscard]] std::vector<NvmlDevice> devices() const;
  // PCI_BUS_ID is like "0000:3B:00.0". Returns nullopt if there is no such GPU.
  [[nodiscard]] std::optional<NvmlDevice> device_at(const std::string& pci_bus_id) const;

  template <typename... Arguments>
  int call(const char* name, Arguments... arguments) const {
    constexpr int kNoFunction = 13;  // NVML_ERROR_FUNCTION_NOT_FOUND
    auto* function = reinterpret_cast<int (*)(Arguments...)>(symbol(name));
    return function == nullptr ? kNoFunction : function(arguments...);
  }

 private:
  explicit Nvml(void* handle) : handle_(handle) {}
  [[nodiscard]] void* symbol(const char* name) const;

  void* handle_;
};

// The place of a device in the PCIe tree.
struct PciPlace {
  unsigned int domain = 0;
  unsigned int bus = 0;
  unsigned int device = 0;

  bool operator==(const PciPlace&) const = default;
};

// What the active NVLinks of a GPU lead to. Those to a CPU do not count.
struct NvLinks {
  std::vector<PciPlace> gpus;
  std::int64_t switches = 0;
};

// One GPU. A value that it does not report is nullopt.
class NvmlDevice {
 public:
  NvmlDevice(std::shared_ptr<const Nvml> library, void* handle) : library_(std::move(library)), handle_(handle) {}

  // Returns what NVML's function NAME writes to its last argument.
  template <typename Answer, typename... Arguments>
  [[nodiscard]] std::optional<Answer> ask(const char* name, Arguments... arguments) const {
    Answer answer{};
    const bool is_told = library_->call(name, handle_, arguments..., &answer) == Nvml::kSuccess;
    return is_told ? std::optional(answer) : std::nullopt;
  }

  [[nodiscard]] std::optional<std::string> name() const;
  [[nodiscard]] std::optional<double> utilization() const;        // 0 ... 1
  [[nodiscard]] std::optional<std::int64_t> processes() const;    // how many compute on the GPU
  [[nodiscard]] std::optional<std::int64_t> memory_used() const;  // bytes, including the driver's own

  // Where the GPU is, and what connects it.
  [[nodiscard]] std::optional<PciPlace> place() const;
  [[nodiscard]] NvLinks active_links() const;
  // NVML's number of the level of the PCIe tree at which the ways to both meet.
  [[nodiscard]] std::optional<int> common_ancestor(const NvmlDevice& other) const;
  // Whether this GPU reads the memory of OTHER without the host.
  [[nodiscard]] std::optional<bool> has_peer_access(const NvmlDevice& other) const;

 private:
  std::shared_ptr<const Nvml> library_;
  void* handle_;
};

// Reads an NVIDIA GPU's sensors.
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
