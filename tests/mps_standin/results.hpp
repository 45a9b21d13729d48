// What an operator gives back, planned before it is computed: its first call on given shapes shows it.
#pragma once

#include "call.hpp"
#include "tensors.hpp"

#include <ATen/core/stack.h>

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

namespace mpsbench::standin {

// Of one thing given back.
struct PlannedResult {
  std::optional<std::size_t> argument;         // what was written to is given back
  bool is_list = false;                        // else one tensor
  std::vector<std::optional<Layout>> tensors;  // nullopt for one that is not defined

  friend bool operator==(const PlannedResult&, const PlannedResult&) = default;
};

struct NetworkPlan {
  std::vector<PlannedResult> results;
  std::vector<std::pair<std::size_t, Layout>> written;  // arguments, and how they are afterwards

  friend bool operator==(const NetworkPlan&, const NetworkPlan&) = default;
};

// From what the CPU's kernel made of HOST's arguments and gave back. Nullopt where that is not only tensors.
[[nodiscard]] std::optional<NetworkPlan> plan_of(const c10::FunctionSchema& schema, const Arguments& host,
                                                 const torch::jit::Stack& returned);

// New tensors of the device by PLAN, and of ARGUMENTS those that were written to.
[[nodiscard]] torch::jit::Stack allocate_results(const NetworkPlan& plan, const Arguments& arguments);

// All tensors of RESULTS that are new by PLAN, one after the other; some may be undefined.
[[nodiscard]] std::vector<at::Tensor> new_tensors(const NetworkPlan& plan, const torch::jit::Stack& results);

}  // namespace mpsbench::standin
