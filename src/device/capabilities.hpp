// What sets one accelerator apart from another: a row, not a class.
#pragma once

#include <c10/core/DeviceType.h>

namespace mpsbench::device {

struct Capabilities {
  bool asynchronous = false;    // an operation may still run after its call has returned
  bool events = false;          // with times of the device's own that can be trusted
  bool graphs = false;          // a captured step can be replayed
  bool copy_streams = false;    // pinned host memory, and streams on which copies run beside computing
  bool overflow_skips = false;  // the fused optimizers skip an update of gradients that are not finite
};

// MPS has events, but up to LibTorch 2.13 they can run backwards and wait for ever: it is timed by windows
// only. Its fused optimizers ignore found_inf up to LibTorch 2.12 (pytorch PR 186360).
// MPSBENCH_DEVICE_ROW=mps in the environment gives CUDA MPS's row, to show that both give the same times.
[[nodiscard]] Capabilities capabilities_of(c10::DeviceType type);

}  // namespace mpsbench::device
