// Finds which devices LibTorch was built for, and which of them can really compute here.
#pragma once

#include "schema/messages.hpp"

#include <vector>

namespace mpsbench::device {

// Returns the CPU, then the devices of all other kinds, highest rank first. Tries each one: it allocates a
// tensor, computes, and checks the result, and that numbers come back from the device with the same bits.
[[nodiscard]] std::vector<schema::DeviceStatus> probe_devices();

}  // namespace mpsbench::device
