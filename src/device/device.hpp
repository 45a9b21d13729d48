// The device that a launch runs on, opened by name. All kinds share one class and differ only in their
// capabilities.
#pragma once

#include "device/kinds.hpp"

#include <c10/core/Device.h>

#include <cstdint>
#include <optional>
#include <string>

namespace mpsbench::device {

struct DeviceMemory {
  std::int64_t free_bytes = 0;
  std::int64_t total_bytes = 0;  // with unified memory: the working set that the system recommends as a limit
};

struct PeakMemory {
  std::int64_t allocated_bytes = 0;  // used by tensors
  std::int64_t reserved_bytes = 0;   // taken by the allocator from the driver
};

class Device {
 public:
  // Throws Error(no_device) if the device is not usable, with the reason and what to do about it.
  static Device open(const schema::DeviceId& id);

  [[nodiscard]] const c10::Device& torch() const { return torch_; }
  [[nodiscard]] schema::DeviceKind kind() const { return kind_; }
  [[nodiscard]] const Capabilities& capabilities() const { return capabilities_; }
  [[nodiscard]] bool asynchronous() const { return asynchronous_; }
  // Waits until the device has finished everything in its queue.
  void synchronize() const;

  // Limits the allocator to 90 % of the memory that is free now; the rest is for the system and other
  // processes. If the user has set a lower limit, it stays.
  void limit_memory() const;

  // Only for accelerators whose allocator reports it; otherwise nullopt.
  [[nodiscard]] std::optional<DeviceMemory> memory() const;
  // Also returns the allocator's unused memory to the driver, so that the next peak does not include it.
  void reset_peak_memory() const;
  [[nodiscard]] std::optional<PeakMemory> peak_memory() const;
  // Returns the bytes in use now: by tensors if the allocator reports them, otherwise by this process alone.
  // Returns nullopt if unknown.
  [[nodiscard]] std::optional<std::int64_t> live_bytes() const;

 private:
  Device(c10::Device torch, schema::DeviceKind kind);

  c10::Device torch_;
  schema::DeviceKind kind_;
  bool asynchronous_;
  Capabilities capabilities_;
};

// Returns the PCI bus id of an NVIDIA GPU ("0000:3B:00.0") without opening it; nullopt for other devices and
// for a GPU that does not exist.
[[nodiscard]] std::optional<std::string> pci_bus_id(const schema::DeviceId& id);

// Returns the UUID of an NVIDIA GPU without opening it; nullopt as above.
[[nodiscard]] std::optional<std::string> gpu_uuid(const schema::DeviceId& id);

// Computes something small on DEVICE and checks the result. Returns what went wrong, or an empty string.
[[nodiscard]] std::string why_unusable(const c10::Device& device);

}  // namespace mpsbench::device
