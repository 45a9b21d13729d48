// Makes the model that runs a plan.
#pragma once

#include "nn/model.hpp"
#include "schema/messages.hpp"

#include <c10/core/Device.h>

#include <memory>

namespace mpsbench::nn {

// Makes a user's TorchScript module or package if the plan runs one, otherwise the plan's own network with
// the request's weights or ones drawn from its seed. REQUEST must outlive the model. Throws Error(usage) if a
// file does not fit.
[[nodiscard]] std::unique_ptr<Model> make_model(const schema::LaunchRequest& request,
                                                const c10::Device& device);

}  // namespace mpsbench::nn
