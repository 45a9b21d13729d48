#include "schema/group_place.hpp"

#include "schema/optional_json.hpp"

#include <limits>

namespace mpsbench::schema {

nlohmann::ordered_json to_json(const GroupPlace& place) {
  return {{"rank", place.rank},
          {"ranks", place.ranks},
          {"address", place.address},
          {"port", place.port},
          {"timeout_seconds", place.timeout_seconds},
          {"prefix", or_null(place.prefix)}};
}

GroupPlace read_group_place(base::Reader reader) {
  constexpr std::int64_t kMostPort = std::numeric_limits<std::uint16_t>::max();
  GroupPlace place{.rank = reader.at("rank").integer(0),
                   .ranks = reader.at("ranks").integer(1),
                   .address = reader.at("address").string(),
                   .port = reader.at("port").integer(1, kMostPort),
                   .timeout_seconds = reader.at("timeout_seconds").number(),
                   .prefix = string_or_null(reader.at("prefix"))};
  if (place.rank >= place.ranks) throw reader.at("rank").error("must be less than ranks");
  reader.done();
  return place;
}

}  // namespace mpsbench::schema
