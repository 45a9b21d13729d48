// What the worker found when it tried a device, and which precisions and engines it can use there.
#pragma once

#include "base/json_reader.hpp"
#include "schema/device_id.hpp"
#include "schema/engine.hpp"
#include "schema/precision.hpp"

#include <nlohmann/json.hpp>

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

struct DeviceStatus {
  DeviceId device{};
  std::string name{};
  bool built_in = false;
  bool usable = false;                         // it allocated memory and computed a correct result
  std::string reason{};                        // why it is not usable, and what to do; empty if it is
  std::optional<std::int64_t> memory_bytes{};  // device memory; if unified, the recommended working set
  std::optional<std::int64_t> free_bytes{};
  std::optional<std::string> capability{};  // CUDA compute capability: "9.0"
  // Older workers do not report these: then they are nullopt and empty.
  std::optional<bool> unified_memory{};  // the device shares the host's memory
  std::vector<Offer<Precision>> precisions{};
  std::vector<Offer<Engine>> engines{};
};

[[nodiscard]] nlohmann::ordered_json to_json(const DeviceStatus& status);
[[nodiscard]] DeviceStatus read_device_status(base::Reader reader);

}  // namespace mpsbench::schema
