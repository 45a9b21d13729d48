#include "schema/rank.hpp"

#include "schema/field_json.hpp"
#include "schema/samples_json.hpp"
#include "schema/sensor_json.hpp"
#include "schema/status_json.hpp"
#include "schema/working_threads_json.hpp"

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
                std::optional<std::int64_t>, std::optional<std::string>, std::optional<WorkingThreads>,
                std::vector<double>, std::vector<SensorRecord>, std::map<std::string, std::string>>
    kRankFields[] = {
        {"rank", &R::rank, {"Number of the process in the group, from 0."}},
        {"device", &R::device, {"The device that it ran on."}},
        {"device_name", &R::device_name,
         late({.meaning = "What its maker calls the GPU that it ran on.", .is_absent_when_empty = true})},
        {"host", &R::host,
         late({.meaning = "Name of the machine that it ran on; absent for the report's own.",
               .is_absent_when_empty = true})},
        {"status", &R::status, {"How the process ended."}},
        {"failure", &R::failure, {"Why it did not end well; null if it did."}},
        {"first_step_seconds", &R::first_step_seconds, {"Time of its very first step.", "s", kTime}},
        {"working_threads", &R::working_threads,
         late({.meaning = "On the CPU: its threads that work, and on which CPUs.",
               .is_absent_when_empty = true})},
        {"peak_resident_bytes", &R::peak_resident_bytes, {"Peak memory of the process.", "B"}},
        {"peak_device_bytes", &R::peak_device_bytes, {"Peak memory of tensors on its device.", "B"}},
        {"peak_reserved_bytes",
         &R::peak_reserved_bytes,
         {"Peak memory that its device's allocator reserved.", "B"}},
        {"samples_seconds", &R::samples_seconds,
         late({.meaning = "Seconds per step of its own windows; the launch has the largest of all ranks.",
               .unit = "s",
               .bounds = kTime,
               .is_absent_when_empty = true})},
        {"compute_step_seconds", &R::compute_step_seconds,
         late({.meaning = "Its median step when no gradients are averaged; absent if that was not measured.",
               .unit = "s",
               .bounds = kTime,
               .is_absent_when_empty = true})},
        {"sensors", &R::sensors,
         late({.meaning =
                   "Readings of its GPU's sensors and, under a launcher, of its machine's; those of rank "
                   "0 are the launch's.",
               .is_absent_when_empty = true})},
        {"sensor_notes", &R::sensor_notes,
         late({.meaning = "For each of its sensors that could not be read, the reason.",
               .is_absent_when_empty = true})},
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
