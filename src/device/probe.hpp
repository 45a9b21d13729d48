// Which devices LibTorch was built for, and which of them really compute here.
#pragma once

#include "schema/messages.hpp"

#include <vector>

namespace mpsbench::device {

// The CPU and the devices of every other kind, the highest rank first, each tried by allocating, computing
// and comparing with plain arithmetic.
[[nodiscard]] std::vector<schema::DeviceStatus> probe_devices();

}  // namespace mpsbench::device
