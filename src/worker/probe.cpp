#include "worker/probe.hpp"

#include "device/probe.hpp"
#include "step/engine.hpp"

namespace mpsbench::worker {

std::vector<schema::DeviceStatus> probe() {
  std::vector<schema::DeviceStatus> devices = device::probe_devices();
  for (schema::DeviceStatus& status : devices) {
    if (status.precisions.empty()) continue;  // this device does not exist here
    for (const auto& engine : schema::ClosedSet<schema::Engine>::kRows)
      status.engines.push_back({engine.value, step::why_no_engine(status.device.kind, engine.value)});
  }
  return devices;
}

}  // namespace mpsbench::worker
