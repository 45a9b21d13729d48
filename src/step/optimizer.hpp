// Optimizers that update all parameters with one fused operator. (torch::optim loops over the parameters,
// which is 4-5 times slower on the CPU.)
#pragma once

#include "schema/case_spec.hpp"

#include <ATen/core/Tensor.h>

#include <functional>
#include <optional>
#include <vector>

namespace mpsbench::step {

// Applies one update, using the parameters' current gradients. Call it with gradients switched off. If
// FOUND_INFINITE is given and holds 1 (a gradient is not finite), nothing changes.
using Update = std::function<void(const std::optional<at::Tensor>& found_infinite)>;

// Makes the optimizer of SPEC for PARAMETERS. Parameters without a gradient do not change. Throws
// Error(usage) if the name is unknown.
[[nodiscard]] Update make_optimizer(const schema::OptimizerSpec& spec, std::vector<at::Tensor> parameters);

// Wraps UPDATE for a device whose fused operators ignore FOUND_INFINITE. The host waits for the value and
// skips the update itself, as torch.amp.GradScaler does for optimizers that are not fused.
[[nodiscard]] Update skipped_by_host(Update update);

}  // namespace mpsbench::step
