// Turns a definition into a plan: expands it, checks shapes and counts parameters and work.
#pragma once

#include "model/definition.hpp"
#include "schema/network_plan.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace mpsbench::model {

// If given, CLASSES, DROPOUT and TOKENS replace the definition's parameters of the same name. In Mode::infer
// every backward_macs is 0. Throws Error(usage) if the network has no such parameter, or if a shape is
// impossible with this batch size.
[[nodiscard]] schema::NetworkPlan build_network_plan(const Definition& definition, std::int64_t batch_size,
                                                     std::optional<std::int64_t> classes,
                                                     std::optional<double> dropout, const std::string& loss,
                                                     schema::Mode mode,
                                                     std::optional<std::int64_t> tokens = {});

}  // namespace mpsbench::model
