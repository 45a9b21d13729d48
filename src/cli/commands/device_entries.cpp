#include "cli/commands/device_entries.hpp"

#include "schema/field_json.hpp"

namespace mpsbench::cli {
namespace {

using nlohmann::ordered_json;

template <schema::Closed Enum>
ordered_json usable_of(const std::vector<schema::Offer<Enum>>& offers) {
  ordered_json names = ordered_json::array();
  for (const schema::Offer<Enum>& offer : offers) {
    if (offer.usable()) names.push_back(to_string(offer.value));
  }
  return names;
}

std::optional<std::int64_t> cores_of(const schema::DeviceStatus& status, const schema::HostInfo& host) {
  if (status.device.row().is_host) return host.cpu.physical_cores;
  const bool apple = status.device.kind == schema::DeviceKind::mps && status.usable;
  return apple ? host.gpu_cores : std::nullopt;
}

}  // namespace

void describe_cpu(std::vector<schema::DeviceStatus>& devices, const schema::HostInfo& host) {
  for (schema::DeviceStatus& status : devices) {
    if (!status.device.row().is_host) continue;
    if (!host.cpu.model.empty()) status.name = host.cpu.model;
    if (host.memory_bytes > 0) status.memory_bytes = host.memory_bytes;
  }
}

ordered_json device_entries(const std::vector<schema::DeviceStatus>& devices, const schema::HostInfo& host) {
  ordered_json entries = ordered_json::array();
  for (const schema::DeviceStatus& status : devices) {
    entries.push_back({{"device", to_string(status.device)},
                       {"name", status.name},
                       {"built_in", status.built_in},
                       {"usable", status.usable},
                       {"cores", schema::to_json(cores_of(status, host))},
                       {"memory_bytes", schema::to_json(status.memory_bytes)},
                       {"unified_memory", schema::to_json(status.unified_memory)},
                       {"capability", schema::to_json(status.capability)},
                       {"precisions", usable_of(status.precisions)},
                       {"engines", usable_of(status.engines)},
                       {"reason", status.reason}});
  }
  return entries;
}

}  // namespace mpsbench::cli
