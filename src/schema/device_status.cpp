#include "schema/device_status.hpp"

#include "schema/optional_json.hpp"

namespace mpsbench::schema {

nlohmann::ordered_json to_json(const DeviceStatus& status) {
  return {{"device", status.device},
          {"name", status.name},
          {"built_in", status.built_in},
          {"usable", status.usable},
          {"reason", status.reason},
          {"memory_bytes", or_null(status.memory_bytes)},
          {"free_bytes", or_null(status.free_bytes)},
          {"capability", or_null(status.capability)}};
}

DeviceStatus read_device_status(base::Reader reader) {
  DeviceStatus status;
  status.device = reader.at("device").string();
  status.name = reader.at("name").string();
  status.built_in = reader.at("built_in").boolean();
  status.usable = reader.at("usable").boolean();
  status.reason = reader.at("reason").string();
  status.memory_bytes = count_or_null(reader.at("memory_bytes"));
  status.free_bytes = count_or_null(reader.at("free_bytes"));
  status.capability = string_or_null(reader.at("capability"));
  reader.done();
  return status;
}

}  // namespace mpsbench::schema
