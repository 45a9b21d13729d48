// Turns a definition into a plan: expands it, checks shapes and counts parameters and work.
#pragma once

#include "model/definition.hpp"
#include "schema/network_plan.hpp"
#include "schema/report.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace mpsbench::model {

// Values that replace those of a definition's parameters, by name.
using ParameterChanges = std::map<std::string, double>;

// What sets any parameter.
inline constexpr const char* kSetOption = "--set";
// The option that sets the parameter NAME.
[[nodiscard]] std::string option_of(const std::string& name);
// Whether VALUE is the definition's own one of its parameter NAME.
[[nodiscard]] bool is_own_value(const Definition& definition, const std::string& name, double value);
// All that the options of a case set.
[[nodiscard]] ParameterChanges changes_of(const schema::CaseSpec& spec);

// If MODE does not train, every backward_macs is 0. CACHE is for networks that generate: the inputs follow on the
// positions that it has, and only the last one's logits are computed. Throws Error(usage) if the network has no such
// parameter, if a shape is impossible with this batch size, or if it cannot generate.
[[nodiscard]] schema::NetworkPlan build_network_plan(const Definition& definition, std::int64_t batch_size,
                                                     const ParameterChanges& changes, const std::string& loss,
                                                     schema::Mode mode,
                                                     const std::optional<schema::KeyValueCache>& cache = {});

// The plan of SPEC's steps; if it generates, of reading its prompt. The parts that depend on data files are missing.
[[nodiscard]] schema::NetworkPlan plan_of(const Definition& definition, const schema::CaseSpec& spec);

// Throws Error(usage) if the definition is missing or broken.
[[nodiscard]] schema::NetworkPlan case_network_plan(const schema::RunInfo& run, const std::string& definition_sha256,
                                                    const schema::CaseSpec& spec);

// Of a case that generates: of a step, which reads one token, in the middle of a sequence.
[[nodiscard]] schema::NetworkPlan token_plan(const schema::RunInfo& run, const std::string& definition_sha256,
                                             const schema::CaseSpec& spec);

}  // namespace mpsbench::model
