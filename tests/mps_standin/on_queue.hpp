// Runs the CPU's kernel of any operator on the queue, for tensors of the device.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

namespace mpsbench::standin {

// The first call on given shapes is done when this returns, and its results' shapes are remembered. Later
// ones are only queued: their results are allocated, and are there when the queue has come so far.
void run_on_queue(const c10::OperatorHandle& op, torch::jit::Stack* stack);

}  // namespace mpsbench::standin
