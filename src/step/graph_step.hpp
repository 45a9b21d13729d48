// A step captured once as a CUDA graph and replayed: one launch from the host instead of hundreds.
#pragma once

#include "measure/step.hpp"

#include <c10/core/Device.h>

#include <memory>

namespace mpsbench::step {

// The first steps of EAGER run as they are, on a stream of their own, and the next is captured; all later
// ones are replays. So step i computes what step i of EAGER would. Throws Error(no_device) where this build
// or DEVICE has no such graphs.
[[nodiscard]] std::unique_ptr<measure::Step> make_graph_step(std::unique_ptr<measure::Step> eager,
                                                             const c10::Device& device);

}  // namespace mpsbench::step
