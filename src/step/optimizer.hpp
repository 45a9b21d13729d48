// Optimizers as one fused operator over all parameters (torch::optim loops over them: 4-5 times slower on the
// CPU).
#pragma once

#include "schema/case_spec.hpp"

#include <ATen/core/Tensor.h>

#include <functional>
#include <optional>
#include <vector>

namespace mpsbench::step {

// Applies one update from the parameters' present gradients. Call with gradients switched off.
// FOUND_INFINITE, when given, is a tensor that is 1 when a gradient is not finite: then nothing changes.
using Update = std::function<void(const std::optional<at::Tensor>& found_infinite)>;

// sgd, adam or adamw over PARAMETERS; parameters without a gradient are left alone.
// Throws Error(usage) for another name.
[[nodiscard]] Update make_optimizer(const schema::OptimizerSpec& spec, std::vector<at::Tensor> parameters);

// UPDATE for a device whose fused operators ignore FOUND_INFINITE: the host waits for it and leaves the
// update out, as torch.amp.GradScaler does with optimizers that are not fused.
[[nodiscard]] Update skipped_by_host(Update update);

}  // namespace mpsbench::step
