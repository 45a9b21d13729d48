#include "schema/rank.hpp"

#include "schema/launch.hpp"
#include "schema/optional_json.hpp"

namespace mpsbench::schema {
namespace {

using nlohmann::ordered_json;

ordered_json to_json(const RankResult& result) {
  return {{"rank", result.rank},
          {"device", to_string(result.device)},
          {"status", to_string(result.status)},
          {"failure", result.failure ? to_json(*result.failure) : ordered_json(nullptr)},
          {"first_step_seconds", or_null(result.first_step_seconds)},
          {"peak_resident_bytes", or_null(result.peak_resident_bytes)},
          {"peak_device_bytes", or_null(result.peak_device_bytes)},
          {"peak_reserved_bytes", or_null(result.peak_reserved_bytes)}};
}

RankResult read_rank(base::Reader reader) {
  RankResult result;
  result.rank = read_count(reader.at("rank"));
  result.device = read_device_id(reader.at("device"));
  result.status = read_name<Status>(reader.at("status"));
  if (const auto failure = reader.find("failure")) result.failure = read_failure(*failure);
  if (const auto seconds = reader.find("first_step_seconds"))
    result.first_step_seconds = seconds->number(0, kMostSeconds);
  result.peak_resident_bytes = count_or_null(reader.at("peak_resident_bytes"));
  result.peak_device_bytes = count_or_null(reader.at("peak_device_bytes"));
  result.peak_reserved_bytes = count_or_null(reader.at("peak_reserved_bytes"));
  reader.done();
  return result;
}

}  // namespace

void add_ranks(const std::vector<RankResult>& ranks, ordered_json& launch) {
  for (const RankResult& one : ranks) launch["ranks"].push_back(to_json(one));
}

std::vector<RankResult> read_ranks(base::Reader& launch) {
  std::vector<RankResult> ranks;
  if (const auto list = launch.find("ranks")) {
    for (const base::Reader& one : list->items()) ranks.push_back(read_rank(one));
  }
  return ranks;
}

}  // namespace mpsbench::schema
