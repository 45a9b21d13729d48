// What the worker found when it tried a device, and which precisions and engines it can use there.
#pragma once

#include "schema/engine.hpp"
#include "schema/field_json.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::schema {

// Whether a device can use one precision or engine.
template <Closed Enum>
struct Offer {
  Enum value{};
  std::string reason{};  // why it cannot be used, and what to do; empty if it can

  [[nodiscard]] bool usable() const { return reason.empty(); }
};

template <Closed Enum>
inline constexpr auto kFields<Offer<Enum>> =
    table(field<&Offer<Enum>::value>({.key = "name"}), field<&Offer<Enum>::reason>());

struct DeviceStatus {
  DeviceId device{};
  std::string name{};
  bool built_in = false;
  bool usable = false;                         // it allocated memory and computed a correct result
  std::string reason{};                        // why it is not usable, and what to do; empty if it is
  std::optional<std::int64_t> memory_bytes{};  // device memory; if unified, the recommended working set
  std::optional<std::int64_t> free_bytes{};
  std::optional<std::string> capability{};  // CUDA compute capability: "9.0"
  std::optional<bool> unified_memory{};     // the device shares the host's memory
  std::vector<Offer<Precision>> precisions{};
  std::vector<Offer<Engine>> engines{};
};

template <>
inline constexpr auto kFields<DeviceStatus> =
    members<&DeviceStatus::device, &DeviceStatus::name, &DeviceStatus::built_in, &DeviceStatus::usable,
            &DeviceStatus::reason, &DeviceStatus::memory_bytes, &DeviceStatus::free_bytes, &DeviceStatus::capability,
            &DeviceStatus::unified_memory, &DeviceStatus::precisions, &DeviceStatus::engines>();

}  // namespace mpsbench::schema
