// The device that a launch runs on, opened by name. All kinds share one class and differ only in their
// capabilities.
#pragma once

#include "device/kinds.hpp"
#include "measure/step.hpp"
#include "measure/timer.hpp"

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>
#include <c10/core/Event.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

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

// Computes something small on DEVICE and checks the result. Returns what went wrong, or an empty string.
[[nodiscard]] std::string why_unusable(const c10::Device& device);

// SEND_AND_FETCH copies a tensor to a device and back. Returns which numbers came back with other bits; empty
// if none did.
[[nodiscard]] std::string why_not_returned(const std::function<at::Tensor(const at::Tensor&)>& send_and_fetch);

// The clocks of a device, and an operation for the self-test of its synchronisation.

// Measures times between places in a device's queue with the device's own events.
class DeviceEvents final : public measure::EventClock {
 public:
  // DEVICE must have events.
  explicit DeviceEvents(const Device& device);

  void mark() override;
  std::vector<double> take_seconds() override;

 private:
  c10::Device device_;
  std::vector<c10::Event> events_;  // reused: creating an event costs more than recording it
  std::size_t marks_ = 0;
};

// The reference clock of any device: the host's steady clock, read after the device was synchronised.
class DeviceTimer final : public measure::HostTimer {
 public:
  explicit DeviceTimer(const Device& device) : device_(&device) {
    if (device.capabilities().events) events_.emplace(device);
  }

  void synchronize() override { device_->synchronize(); }
  [[nodiscard]] bool asynchronous() const override { return device_->asynchronous(); }
  [[nodiscard]] measure::EventClock* events() override { return events_ ? &*events_ : nullptr; }

 private:
  const Device* device_;
  std::optional<DeviceEvents> events_;
};

// The operation of the synchronisation self-test: a matrix product that takes far longer to compute than to
// queue.
class MatmulOperation final : public measure::Step {
 public:
  explicit MatmulOperation(const Device& device);

  void run() override;
  // Returns an element of the result. Reading it waits until the product is done.
  std::optional<double> loss() override;

 private:
  at::Tensor left_, right_, product_;
};

}  // namespace mpsbench::device
