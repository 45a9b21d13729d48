#include "schema/rank.hpp"

#include "schema/field_json.hpp"
#include "schema/status_json.hpp"

#include <utility>

namespace mpsbench::schema {

using nlohmann::ordered_json;

template <>
struct Json<DeviceId> {
  static ordered_json write(const DeviceId& device) { return to_string(device); }
  static DeviceId read(const base::Reader& reader, const FieldInfo&) { return read_device_id(reader); }
  static ordered_json schema(const FieldInfo&) { return {{"type", "string"}}; }
};

namespace {

using R = RankResult;

constexpr Field<R, std::int64_t, DeviceId, Status, std::optional<Failure>, std::optional<double>,
                std::optional<std::int64_t>>
    kRankFields[] = {
        {"rank", &R::rank, {"Its place in the group, from 0."}},
        {"device", &R::device, {"What it ran on."}},
        {"status", &R::status, {"How it ended."}},
        {"failure", &R::failure, {"Null where it ended well."}},
        {"first_step_seconds", &R::first_step_seconds, {"Its very first step.", "s", kTime}},
        {"peak_resident_bytes", &R::peak_resident_bytes, {"The process's most memory.", "B"}},
        {"peak_device_bytes", &R::peak_device_bytes, {"Most that tensors had on its device.", "B"}},
        {"peak_reserved_bytes", &R::peak_reserved_bytes, {"Most that its device's allocator took.", "B"}},
};

using RankJson = ObjectJson<RankResult, kRankFields>;

}  // namespace

ordered_json to_json(const RankResult& result) {
  return RankJson::write(result);
}

RankResult read_rank(base::Reader reader) {
  return RankJson::read(std::move(reader));
}

ordered_json rank_json_schema() {
  return RankJson::schema();
}

}  // namespace mpsbench::schema
