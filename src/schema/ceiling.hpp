// What a device does at best, measured by mpsbench-ops: the measure of a case's rate.
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
  std::optional<std::int64_t> threads;  // of the CPU
  std::string measured_at;
  std::map<std::string, std::optional<double>> matmul_flops_per_second;  // by precision; null: there is none
  std::optional<double> bytes_per_second;                                // read and written

  bool operator==(const Ceiling&) const = default;
};

[[nodiscard]] nlohmann::ordered_json to_json(const Ceiling& ceiling);
[[nodiscard]] Ceiling read_ceiling(base::Reader reader);

}  // namespace mpsbench::schema
