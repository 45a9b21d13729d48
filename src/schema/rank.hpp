// The result of one of several processes that ran a launch together.
#pragma once

#include "base/json_reader.hpp"
#include "schema/device_id.hpp"
#include "schema/sensor.hpp"
#include "schema/status.hpp"
#include "schema/working_threads.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::schema {

// The kind of failure of a process that could no longer reach another one.
inline constexpr const char* kLostRank = "lost_rank";

[[nodiscard]] inline bool is_lost_rank(const std::optional<Failure>& failure) {
  return failure && failure->kind == kLostRank;
}

struct RankResult {
  std::int64_t rank = 0;  // its number in the group, from 0
  DeviceId device;
  std::optional<std::string> device_name{};  // of a GPU, if its sensors can be read
  std::optional<std::string> host{};         // name of its machine; null: the report's
  Status status = Status::ok;
  std::optional<Failure> failure{};
  std::optional<double> first_step_seconds{};
  std::optional<WorkingThreads> working_threads{};  // only on the CPU
  std::optional<std::int64_t> peak_resident_bytes{};
  std::optional<std::int64_t> peak_device_bytes{};
  std::optional<std::int64_t> peak_reserved_bytes{};
  std::vector<double> samples_seconds{};         // its own windows, before the ranks took the largest of each
  std::optional<double> compute_step_seconds{};  // median step without averaging gradients
  // Those of rank 0 are the launch's.
  std::vector<SensorRecord> sensors{};
  std::map<std::string, std::string> sensor_notes{};
};

[[nodiscard]] nlohmann::ordered_json to_json(const RankResult& result);
[[nodiscard]] RankResult read_rank(base::Reader reader);
[[nodiscard]] nlohmann::ordered_json rank_json_schema();

}  // namespace mpsbench::schema
