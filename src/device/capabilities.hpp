// How the kinds of devices differ for the worker. A device has a row of these values, not a class.
#pragma once

#include "schema/device_id.hpp"

namespace mpsbench::device {

struct Capabilities {
  bool events = false;          // the device's own event times can be trusted
  bool graphs = false;          // a captured step can be replayed
  bool copy_streams = false;    // has pinned host memory, and streams that copy while the device computes
  bool overflow_skips = false;  // the fused optimizers skip an update if gradients are not finite
  bool tf32 = false;            // can compute matrix products in tf32
  bool unified_memory = false;  // the device shares the host's memory
};

// Returns the capabilities in KIND's row. With MPSBENCH_DEVICE_ROW=mps in the environment, CUDA gets MPS's
// capabilities: this shows that both ways of measuring give the same times.
[[nodiscard]] Capabilities capabilities_of(schema::DeviceKind kind);

}  // namespace mpsbench::device
