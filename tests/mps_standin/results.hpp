// Plans the results of an operator before it is computed, from its first call with the same shapes.
#pragma once

#include "call.hpp"
#include "tensors.hpp"

#include <ATen/core/stack.h>

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace mpsbench::standin {

// One returned value.
struct PlannedResult {
  std::optional<std::size_t> argument;         // if set, this argument is returned
  bool is_list = false;                        // otherwise one tensor
  std::vector<std::optional<Layout>> tensors;  // nullopt for an undefined tensor

  friend bool operator==(const PlannedResult&, const PlannedResult&) = default;
};

struct NetworkPlan {
  std::vector<PlannedResult> results;
  std::vector<std::pair<std::size_t, Layout>> written;  // changed arguments, and their layouts afterwards

  friend bool operator==(const NetworkPlan&, const NetworkPlan&) = default;
};

// Makes a plan from the arguments in HOST, after the CPU's kernel changed them, and what it returned. Returns
// nullopt if it returned anything other than tensors.
[[nodiscard]] std::optional<NetworkPlan> plan_of(const c10::FunctionSchema& schema, const Arguments& host,
                                                 const torch::jit::Stack& returned);

// Returns the results of a call: new tensors on the device, and the returned ones of ARGUMENTS.
[[nodiscard]] torch::jit::Stack allocate_results(const NetworkPlan& plan, const Arguments& arguments);

// Returns all tensors of RESULTS that are new according to PLAN, in order. Some may be undefined.
[[nodiscard]] std::vector<at::Tensor> new_tensors(const NetworkPlan& plan, const torch::jit::Stack& results);

}  // namespace mpsbench::standin
