// The device a launch runs on, opened by name: one class for all, which differ by their row of capabilities.
#pragma once

#include "device/capabilities.hpp"

#include <c10/core/Device.h>

#include <cstdint>
#include <optional>
#include <string>

namespace mpsbench::device {

struct DeviceMemory {
  std::int64_t free_bytes = 0;
  std::int64_t total_bytes = 0;  // with unified memory: the working set that the system recommends as limit
};

struct PeakMemory {
  std::int64_t allocated_bytes = 0;  // by tensors
  std::int64_t reserved_bytes = 0;   // by the allocator, from the driver
};

class Device {
 public:
  // Throws Error(no_device) for one that is not usable, with reason and cure.
  static Device open(const schema::DeviceId& id);

  [[nodiscard]] const c10::Device& torch() const { return torch_; }
  [[nodiscard]] schema::DeviceKind kind() const { return kind_; }
  [[nodiscard]] const Capabilities& capabilities() const { return capabilities_; }
  [[nodiscard]] bool asynchronous() const { return asynchronous_; }
  // Returns when everything queued is done.
  void synchronize() const;

  // From now on the allocator gives out 90 % of what is free now, and no more: the rest is for the system and
  // for others. A lower limit that the user has set stays.
  void limit_memory() const;

  // Of accelerators whose allocator tells; nullopt else.
  [[nodiscard]] std::optional<DeviceMemory> memory() const;
  // Also gives back what was used and is free now: it is no part of the peak to come.
  void reset_peak_memory() const;
  [[nodiscard]] std::optional<PeakMemory> peak_memory() const;
  // Bytes in use now: of tensors where the allocator tells, else this process's own. Nullopt if unknown.
  [[nodiscard]] std::optional<std::int64_t> live_bytes() const;

 private:
  Device(c10::Device torch, schema::DeviceKind kind);

  c10::Device torch_;
  schema::DeviceKind kind_;
  bool asynchronous_;
  Capabilities capabilities_;
};

// Where an NVIDIA GPU is ("0000:3B:00.0"), without opening it; nullopt for other devices and for one that is
// not there.
[[nodiscard]] std::optional<std::string> pci_bus_id(const schema::DeviceId& id);

// Allocates and computes on DEVICE and compares with plain arithmetic. Empty, or what went wrong.
[[nodiscard]] std::string why_unusable(const c10::Device& device);

}  // namespace mpsbench::device
