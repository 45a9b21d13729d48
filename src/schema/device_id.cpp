#include "schema/device_id.hpp"

namespace mpsbench::schema {

std::string to_string(const DeviceId& device) {
  return to_string(device.kind) + (device.index > 0 ? ":" + std::to_string(device.index) : "");
}

std::vector<std::string> device_forms() {
  std::vector<std::string> forms;
  for (const DeviceKindRow& row : ClosedSet<DeviceKind>::kRows) {
    forms.emplace_back(row.name);
    if (row.indexed) forms.push_back(std::string(row.name) + ":N");
  }
  return forms;
}

DeviceId read_device_id(const base::Reader& reader) {
  const std::string name = reader.string();
  if (const auto device = DeviceId::parse(name)) return *device;
  throw reader.error(unknown_name("device", name, device_forms()));
}

}  // namespace mpsbench::schema
