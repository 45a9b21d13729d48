// The JSON of a sensor's record as the member of an object.
#pragma once

#include "schema/field_json.hpp"
#include "schema/sensor.hpp"

namespace mpsbench::schema {

template <>
struct Json<SensorRecord> {
  static nlohmann::ordered_json write(const SensorRecord& record) { return to_json(record); }
  static SensorRecord read(const base::Reader& reader, const FieldInfo&) {
    return read_sensor_record(reader);
  }
  static nlohmann::ordered_json schema(const FieldInfo&) { return {{"$ref", "#/$defs/sensor"}}; }
};

}  // namespace mpsbench::schema
