// Which weights a precision stores as whole numbers, and what weights then take.
#pragma once

#include "schema/engine.hpp"
#include "schema/network_plan.hpp"

namespace mpsbench::model {

// Marks them in PLAN: the weights of linear layers. The last one, the head, keeps its own, and so do those that another
// layer shares and those whose sizes LibTorch's kernels do not take. Throws Error(usage) if PLAN has no other.
void quantize(schema::NetworkPlan& plan, const schema::PrecisionRow& precision);

// The bytes of a parameter as PRECISION stores it, with its scales.
[[nodiscard]] double stored_bytes(const schema::NetworkTensor& tensor, const schema::PrecisionRow& precision);
// The bytes of all parameters of PLAN.
[[nodiscard]] double weight_bytes(const schema::NetworkPlan& plan, const schema::PrecisionRow& precision);

}  // namespace mpsbench::model
