// Makes the model that runs a plan.
#pragma once

#include "nn/model.hpp"
#include "schema/network_plan.hpp"

#include <c10/core/Device.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace mpsbench::nn {

// Makes a TorchScript module if the plan runs one, otherwise the plan's own network. WEIGHTS is the file to
// load instead of drawing weights from SEED; for TorchScript it is the module's file. PLAN must outlive the
// model. Throws Error(usage) if the file does not fit.
[[nodiscard]] std::unique_ptr<Model> make_model(const schema::NetworkPlan& plan,
                                                const std::optional<std::string>& weights, std::int64_t seed,
                                                const c10::Device& device, bool training);

}  // namespace mpsbench::nn
