// Does a weights file hold exactly the tensors of a network? Asked by the front before anything runs, and by
// the worker.
#pragma once

#include "base/safetensors.hpp"
#include "schema/network_plan.hpp"

#include <string>

namespace mpsbench::schema {

// One Error(usage) that names FILE and the first missing, extra and misshapen tensors. A batch norm's
// num_batches_tracked may be absent.
void require_fitting_weights(const base::SafetensorsHeader& header, const NetworkPlan& plan,
                             const std::string& file);

}  // namespace mpsbench::schema
