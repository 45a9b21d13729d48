// One of the processes that ran a launch together.
#pragma once

#include "base/json_reader.hpp"
#include "schema/device_id.hpp"
#include "schema/status.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::schema {

struct RankResult {
  std::int64_t rank = 0;  // its place in the group, from 0
  DeviceId device;
  Status status = Status::ok;
  std::optional<Failure> failure;
  std::optional<double> first_step_seconds;
  std::optional<std::int64_t> peak_resident_bytes;
  std::optional<std::int64_t> peak_device_bytes;
  std::optional<std::int64_t> peak_reserved_bytes;
};

// As "ranks" of a launch; nothing when there are none.
void add_ranks(const std::vector<RankResult>& ranks, nlohmann::ordered_json& launch);
[[nodiscard]] std::vector<RankResult> read_ranks(base::Reader& launch);

}  // namespace mpsbench::schema
