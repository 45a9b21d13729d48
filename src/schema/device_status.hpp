// What the worker found when it tried a device, and which precisions and engines it can use there.
#pragma once

#include "schema/device_id.hpp"
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
inline constexpr Field<Offer<Enum>, Enum, std::string> kOfferFields[] = {
    {"name", &Offer<Enum>::value},
    {"reason", &Offer<Enum>::reason},
};

template <Closed Enum>
struct Json<Offer<Enum>> : ObjectJson<Offer<Enum>, kOfferFields<Enum>> {};

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

inline constexpr Field<DeviceStatus, DeviceId, std::string, bool, std::optional<std::int64_t>,
                       std::optional<std::string>, std::optional<bool>, std::vector<Offer<Precision>>,
                       std::vector<Offer<Engine>>>
    kDeviceStatusFields[] = {
        {"device", &DeviceStatus::device},
        {"name", &DeviceStatus::name},
        {"built_in", &DeviceStatus::built_in},
        {"usable", &DeviceStatus::usable},
        {"reason", &DeviceStatus::reason},
        {"memory_bytes", &DeviceStatus::memory_bytes},
        {"free_bytes", &DeviceStatus::free_bytes},
        {"capability", &DeviceStatus::capability},
        {"unified_memory", &DeviceStatus::unified_memory},
        {"precisions", &DeviceStatus::precisions},
        {"engines", &DeviceStatus::engines},
};

template <>
struct Json<DeviceStatus> : ObjectJson<DeviceStatus, kDeviceStatusFields> {};

}  // namespace mpsbench::schema
