// Which operators MPS has, by the wheel's own list, and what it says of the others.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

namespace mpsbench::standin {

[[nodiscard]] bool is_listed(const c10::OperatorHandle& op);

// For an operator that MPS does not have: MPS's error, or with PYTORCH_ENABLE_MPS_FALLBACK=1 its warning and
// the CPU.
void run_unlisted(const c10::OperatorHandle& op, torch::jit::Stack* stack);

}  // namespace mpsbench::standin
