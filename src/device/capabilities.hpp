// What sets one accelerator apart from another for the worker: a row, not a class.
#pragma once

#include "schema/device_id.hpp"

namespace mpsbench::device {

struct Capabilities {
  bool events = false;          // with times of the device's own that can be trusted
  bool graphs = false;          // a captured step can be replayed
  bool copy_streams = false;    // pinned host memory, and streams on which copies run beside computing
  bool overflow_skips = false;  // the fused optimizers skip an update of gradients that are not finite
  bool tf32 = false;            // products in tf32
  bool unified_memory = false;  // the host's memory is its own
};

// That of the kind's row. MPSBENCH_DEVICE_ROW=mps in the environment gives CUDA MPS's, to show that both give
// the same times.
[[nodiscard]] Capabilities capabilities_of(schema::DeviceKind kind);

}  // namespace mpsbench::device
