// Which model a plan becomes.
#pragma once

#include "nn/model.hpp"
#include "schema/network_plan.hpp"

#include <c10/core/Device.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace mpsbench::nn {

// A TorchScript module for a plan that runs one, else the plan's own network. WEIGHTS: the file to load
// instead of drawing from SEED; of a TorchScript module, the module's. PLAN must outlive the model. Throws
// Error(usage) for a file that does not fit.
[[nodiscard]] std::unique_ptr<Model> make_model(const schema::NetworkPlan& plan,
                                                const std::optional<std::string>& weights, std::int64_t seed,
                                                const c10::Device& device, bool training);

}  // namespace mpsbench::nn
