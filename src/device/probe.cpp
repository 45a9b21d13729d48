#include "device/probe.hpp"

#include "base/error.hpp"
#include "device/device.hpp"
#include "device/kinds.hpp"

#include <algorithm>
#include <string>

namespace mpsbench::device {
namespace {

using schema::DeviceStatus;

void try_out(DeviceStatus& status) {
  try {
    const Device device = Device::open(status.device);
    if (device.torch().is_cpu()) status.reason = why_unusable(device.torch());
    if (const auto memory = device.memory()) {
      status.memory_bytes = memory->total_bytes;
      status.free_bytes = memory->free_bytes;
    }
  } catch (const base::Error& error) {
    status.reason = error.what();
  }
  status.usable = status.reason.empty();
}

// Returns one status per device that LibTorch sees. If the kind cannot be tried, returns a single status with
// the reason.
std::vector<DeviceStatus> probe_kind(const KindRow& row, const PlatformFacts& facts) {
  const schema::DeviceKindRow& kind = row_of(row.kind);
  DeviceStatus first{.device = schema::DeviceId(row.kind), .name = std::string(kind.help)};
  first.built_in = row.built_in(facts);
  first.reason = row.why_absent(facts);
  first.unified_memory = capabilities_of(row.kind).unified_memory;
  if (!first.reason.empty()) return {first};
  for (const auto& precision : schema::ClosedSet<schema::Precision>::kRows)
    first.precisions.push_back({precision.value, why_no_precision(row.kind, precision.value)});
  std::vector<DeviceStatus> statuses;
  for (std::int64_t i = 0; i < row.count(facts); ++i) {
    DeviceStatus& status = statuses.emplace_back(first);
    status.device.index = i;
    row.describe(status);
    try_out(status);
  }
  return statuses;
}

}  // namespace

std::vector<DeviceStatus> probe_devices() {
  const PlatformFacts facts = platform_facts();
  std::vector<const KindRow*> rows;
  for (const KindRow& row : kind_rows()) rows.push_back(&row);
  std::sort(rows.begin() + 1, rows.end(), [](const KindRow* a, const KindRow* b) {  // the CPU stays first
    return row_of(a->kind).rank > row_of(b->kind).rank;
  });
  std::vector<DeviceStatus> all;
  for (const KindRow* row : rows) {
    for (const DeviceStatus& status : probe_kind(*row, facts)) all.push_back(status);
  }
  return all;
}

}  // namespace mpsbench::device
