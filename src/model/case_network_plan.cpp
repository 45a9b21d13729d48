#include "model/case_network_plan.hpp"

#include "model/build_network_plan.hpp"
#include "model/definition.hpp"
#include "model/freeze.hpp"

#include <cstddef>

namespace mpsbench::model {
namespace {

// Whether SLOT is an input of the network that is filled with ones.
bool is_all_ones(const schema::NetworkPlan& plan, int slot) {
  const auto index = static_cast<std::size_t>(slot);
  return index < plan.inputs.size() && plan.inputs[index].fill == "ones";
}

}  // namespace

schema::NetworkPlan case_network_plan(const schema::RunInfo& run, const std::string& definition_sha256,
                                      const schema::CaseSpec& spec) {
  const auto found = run.definitions.find(definition_sha256);
  if (found == run.definitions.end()) {
    throw base::usage_error("$.run.definitions lacks " + base::excerpt(definition_sha256) +
                            ", the definition of the model " + spec.model);
  }
  schema::NetworkPlan plan =
      build_network_plan(read_definition(found->second, spec.model), spec.batch_size, spec.classes,
                         spec.dropout, spec.loss, spec.mode, spec.max_length);
  if (spec.freeze_backbone) freeze_backbone(plan);
  for (schema::NetworkNode& node : plan.nodes) {
    if (node.type == "padding_mask" && (spec.pad || !is_all_ones(plan, node.inputs.at(0))))
      node.options[schema::kMayHavePadding] = true;
  }
  return plan;
}

}  // namespace mpsbench::model
