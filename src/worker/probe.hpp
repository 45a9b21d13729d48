// The worker's report about the devices here.
#pragma once

#include "schema/device_status.hpp"

#include <vector>

namespace mpsbench::worker {

// Returns all devices. Each lists the engines, with the reason if it cannot run one.
[[nodiscard]] std::vector<schema::DeviceStatus> probe();

}  // namespace mpsbench::worker
