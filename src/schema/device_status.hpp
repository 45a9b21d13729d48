// What the worker found of one device when it tried it, and what it can run there.
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

// A precision or an engine on a device.
template <Closed Enum>
struct Offer {
  Enum value{};
  std::string reason{};  // why it cannot be used there, with the cure; empty: it can

  [[nodiscard]] bool usable() const { return reason.empty(); }
};

struct DeviceStatus {
  DeviceId device{};  // its only name
  std::string name{};
  bool built_in = false;
  bool usable = false;                         // allocated, computed and agreed with plain arithmetic
  std::string reason{};                        // why not usable, with the cure; empty when usable
  std::optional<std::int64_t> memory_bytes{};  // of its own; with unified memory the recommended working set
  std::optional<std::int64_t> free_bytes{};
  std::optional<std::string> capability{};  // CUDA's: "9.0"
  // Nullopt and empty: of a worker that does not say.
  std::optional<bool> unified_memory{};  // the host's memory is its own
  std::vector<Offer<Precision>> precisions{};
  std::vector<Offer<Engine>> engines{};
};

[[nodiscard]] nlohmann::ordered_json to_json(const DeviceStatus& status);
[[nodiscard]] DeviceStatus read_device_status(base::Reader reader);

}  // namespace mpsbench::schema
