// The highest rates that mpsbench-ops measured on a device. A case's rate is compared with them.
#pragma once

#include "base/json_reader.hpp"
#include "schema/device_id.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace mpsbench::schema {

struct Ceiling {
  DeviceId device;
  std::optional<std::int64_t> threads;  // only for the CPU
  std::string measured_at;
  std::map<std::string, std::optional<double>> matmul_flops_per_second;  // by precision; null: not measured
  std::optional<double> bytes_per_second;                                // bytes read plus bytes written
  // Of all-reduce, by the number of devices; null: not measured.
  std::map<std::int64_t, std::optional<double>> bus_bytes_per_second{};

  bool operator==(const Ceiling&) const = default;
};

[[nodiscard]] nlohmann::ordered_json to_json(const Ceiling& ceiling);
[[nodiscard]] Ceiling read_ceiling(base::Reader reader);

}  // namespace mpsbench::schema
