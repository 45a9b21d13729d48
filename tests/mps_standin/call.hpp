// One call of an operator: checks its arguments, converts them for the CPU's kernel, makes a key of them, and
// runs it.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::standin {

using Arguments = std::vector<c10::IValue>;

// Returns the numbers of the arguments that are single tensors and that the operator writes to (in place or
// out=).
[[nodiscard]] std::vector<std::size_t> written_tensors(const c10::FunctionSchema& schema);

// Throws LibTorch's error if CPU tensors are mixed with those of the device. Single numbers may be on the
// CPU.
void require_one_device(const Arguments& arguments);

// Returns the arguments for the CPU's kernel, which use the memory of the device's tensors. What the host
// might change before the kernel runs is copied.
[[nodiscard]] Arguments host_arguments(const c10::FunctionSchema& schema, const Arguments& arguments);

// Returns a key of everything that decides the shapes of the results. Returns nullopt if the shapes also
// depend on values, or if that is not known.
[[nodiscard]] std::optional<std::string> call_key(const c10::OperatorHandle& op, const Arguments& arguments);

// Runs the CPU's kernel of any operator on the queue, for tensors of the device. The first call with given shapes is
// done when this returns, and the shapes of its results are remembered. Later calls are only queued: their results are
// allocated, and filled when the queue has run the operator.
void run_on_queue(const c10::OperatorHandle& op, torch::jit::Stack* stack);

}  // namespace mpsbench::standin
