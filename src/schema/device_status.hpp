// What the worker found of one device when it tried it.
#pragma once

#include "base/json_reader.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace mpsbench::schema {

struct DeviceStatus {
  std::string device{};  // "cpu", "mps", "cuda", "cuda:1": its only name
  std::string name{};
  bool built_in = false;
  bool usable = false;                         // allocated, computed and agreed with plain arithmetic
  std::string reason{};                        // why not usable, with the cure; empty when usable
  std::optional<std::int64_t> memory_bytes{};  // of its own; with unified memory the recommended working set
  std::optional<std::int64_t> free_bytes{};
  std::optional<std::string> capability{};  // CUDA's: "9.0"
};

[[nodiscard]] nlohmann::ordered_json to_json(const DeviceStatus& status);
[[nodiscard]] DeviceStatus read_device_status(base::Reader reader);

}  // namespace mpsbench::schema
