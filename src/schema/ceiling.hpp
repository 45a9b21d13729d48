// The highest rates that mpsbench-ops measured on a device. A case's rate is compared with them.
#pragma once

#include "base/json_reader.hpp"
#include "base/units.hpp"
#include "schema/device_id.hpp"
#include "schema/engine.hpp"
#include "schema/field_json.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace mpsbench::schema {

using RatesByCount = std::map<std::int64_t, std::optional<double>>;

template <>
struct Json<RatesByCount> {
  static nlohmann::ordered_json write(const RatesByCount& rates) {
    nlohmann::ordered_json object = nlohmann::ordered_json::object();
    for (const auto& [count, rate] : rates) object[std::to_string(count)] = Json<std::optional<double>>::write(rate);
    return object;
  }
  static RatesByCount read(base::Reader reader, const FieldInfo& about) {
    RatesByCount rates;
    for (const std::string& key : reader.keys()) {
      const base::Reader rate = reader.at(key);
      const std::optional<std::int64_t> count = base::parse_whole_number(key);
      if (!count || *count < 2) throw rate.error("expected a number of devices as the key");
      rates[*count] = Json<std::optional<double>>::read(rate, about);
    }
    return rates;
  }
  static nlohmann::ordered_json schema(const FieldInfo& about) {
    return {{"type", "object"},
            {"propertyNames", {{"pattern", "^[1-9][0-9]*$"}}},
            {"additionalProperties", Json<std::optional<double>>::schema(about)}};
  }
};

struct Ceiling {
  DeviceId device;
  std::optional<std::int64_t> threads;  // only for the CPU
  std::string measured_at;
  std::map<Precision, std::optional<double>> matmul_flops_per_second;  // null: not measured
  std::optional<double> bytes_per_second;                              // bytes read plus bytes written
  // Of all-reduce, by the number of devices; null: not measured.
  RatesByCount bus_bytes_per_second{};

  bool operator==(const Ceiling&) const = default;
};

inline constexpr Field<Ceiling, DeviceId, std::optional<std::int64_t>, std::string,
                       std::map<Precision, std::optional<double>>, std::optional<double>, RatesByCount>
    kCeilingFields[] = {
        {"device", &Ceiling::device, {"The device."}},
        {"threads", &Ceiling::threads, {"Threads of an operation; only for the CPU."}},
        {"measured_at", &Ceiling::measured_at, {"When the rates were measured, ISO 8601 in UTC."}},
        {"matmul_flops_per_second",
         &Ceiling::matmul_flops_per_second,
         {"Rate of the fastest matrix product, by precision; null: not measured.", "FLOP/s", kRate}},
        {"bytes_per_second",
         &Ceiling::bytes_per_second,
         {"Bytes read plus bytes written while adding large tensors.", "B/s", kRate}},
        {"bus_bytes_per_second",
         &Ceiling::bus_bytes_per_second,
         {"What all-reduce carries over the connection of each device, by the number of devices.", "B/s", kRate}},
};

template <>
struct Json<Ceiling> : ObjectJson<Ceiling, kCeilingFields, "ceiling"> {};

}  // namespace mpsbench::schema
