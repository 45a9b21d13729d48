// One call of an operator: its arguments as the device's, as the CPU's kernel takes them, and as a key.
#pragma once

#include <ATen/core/dispatch/Dispatcher.h>
#include <ATen/core/stack.h>

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::standin {

using Arguments = std::vector<c10::IValue>;

// Numbers of arguments that are single tensors which OP writes to: in place or out=.
[[nodiscard]] std::vector<std::size_t> written_tensors(const c10::FunctionSchema& schema);

// Throws LibTorch's error for tensors of the CPU among those of the device; single numbers may come from
// there.
void require_one_device(const Arguments& arguments);

// With the memory of the device's tensors. What the host may change meanwhile is copied.
[[nodiscard]] Arguments host_arguments(const c10::FunctionSchema& schema, const Arguments& arguments);

// All that decides the shapes of the results. Nullopt where values decide, too, or where this cannot be told.
[[nodiscard]] std::optional<std::string> call_key(const c10::OperatorHandle& op, const Arguments& arguments);

}  // namespace mpsbench::standin
