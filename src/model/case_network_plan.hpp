// Builds the plan of one case from the definition that is stored in its run.
#pragma once

#include "schema/network_plan.hpp"
#include "schema/report.hpp"

#include <string>

namespace mpsbench::model {

// Throws Error(usage) if the definition is missing or broken.
[[nodiscard]] schema::NetworkPlan case_network_plan(const schema::RunInfo& run,
                                                    const std::string& definition_sha256,
                                                    const schema::CaseSpec& spec);

}  // namespace mpsbench::model
