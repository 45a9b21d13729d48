// Turns a definition into a plan: expands it, checks shapes and counts parameters and work.
#pragma once

#include "model/definition.hpp"
#include "schema/network_plan.hpp"
#include "schema/report.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace mpsbench::model {

// If given, CLASSES, DROPOUT and TOKENS replace the definition's parameters of the same name. If MODE does
// not train, every backward_macs is 0. Throws Error(usage) if the network has no such parameter, or if a
// shape is impossible with this batch size.
[[nodiscard]] schema::NetworkPlan build_network_plan(const Definition& definition, std::int64_t batch_size,
                                                     std::optional<std::int64_t> classes, std::optional<double> dropout,
                                                     const std::string& loss, schema::Mode mode,
                                                     std::optional<std::int64_t> tokens = {});

// Throws Error(usage) if the definition is missing or broken.
[[nodiscard]] schema::NetworkPlan case_network_plan(const schema::RunInfo& run, const std::string& definition_sha256,
                                                    const schema::CaseSpec& spec);

}  // namespace mpsbench::model
