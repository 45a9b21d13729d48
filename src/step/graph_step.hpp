// A step that is captured once as a CUDA graph and then replayed. The host starts one graph instead of
// hundreds of kernels.
#pragma once

#include "measure/step.hpp"

#include <c10/core/Device.h>

#include <memory>

namespace mpsbench::step {

// The first steps run EAGER unchanged on a separate stream. The next step is captured, and all later ones
// replay it. So step i computes the same as step i of EAGER. DEVICE must have graphs. A step throws
// Error(no_device) if EAGER cannot be captured.
[[nodiscard]] std::unique_ptr<measure::Step> make_graph_step(std::unique_ptr<measure::Step> eager,
                                                             const c10::Device& device);

}  // namespace mpsbench::step
