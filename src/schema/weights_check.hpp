// Checks that a weights file has exactly the tensors of a network. The front checks before anything runs, and
// the worker checks again.
#pragma once

#include "base/safetensors.hpp"
#include "schema/network_plan.hpp"

#include <string>

namespace mpsbench::schema {

// Throws an Error(usage) that names FILE and the first missing, misshapen and unknown tensors. The
// num_batches_tracked of a batch norm may be missing.
void require_fitting_weights(const base::SafetensorsHeader& header, const NetworkPlan& plan,
                             const std::string& file);

}  // namespace mpsbench::schema
