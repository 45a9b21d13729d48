// Runs the CPU's kernel of any operator on the queue, for tensors of the device.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

namespace mpsbench::standin {

// The first call with given shapes is done when this returns, and the shapes of its results are remembered.
// Later calls are only queued: their results are allocated, and filled when the queue has run the operator.
void run_on_queue(const c10::OperatorHandle& op, torch::jit::Stack* stack);

}  // namespace mpsbench::standin
