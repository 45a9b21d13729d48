// Which operators MPS has, from the wheel's own list, and MPS's error for all others.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

namespace mpsbench::standin {

[[nodiscard]] bool is_listed(const c10::OperatorHandle& op);

// Handles an operator that MPS lacks: throws MPS's error or, with PYTORCH_ENABLE_MPS_FALLBACK=1, prints its
// warning and runs the operator on the CPU.
void run_unlisted(const c10::OperatorHandle& op, torch::jit::Stack* stack);

}  // namespace mpsbench::standin
