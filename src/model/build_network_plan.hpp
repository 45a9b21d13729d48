// Definition to plan: expanded, shape-checked and counted.
#pragma once

#include "model/definition.hpp"
#include "schema/network_plan.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace mpsbench::model {

// CLASSES, DROPOUT and TOKENS replace the definition's parameters of that name when given. In Mode::infer
// every backward_macs is 0. Throws Error(usage): a parameter that the network lacks, or a shape that is
// impossible at this batch size.
[[nodiscard]] schema::NetworkPlan build_network_plan(const Definition& definition, std::int64_t batch_size,
                                                     std::optional<std::int64_t> classes,
                                                     std::optional<double> dropout, const std::string& loss,
                                                     schema::Mode mode,
                                                     std::optional<std::int64_t> tokens = {});

}  // namespace mpsbench::model
