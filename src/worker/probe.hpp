// What the worker says of the devices here.
#pragma once

#include "schema/device_status.hpp"

#include <vector>

namespace mpsbench::worker {

// Each with the engines that it can run, or why it cannot.
[[nodiscard]] std::vector<schema::DeviceStatus> probe();

}  // namespace mpsbench::worker
