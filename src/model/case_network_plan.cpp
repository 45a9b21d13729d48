#include "model/case_network_plan.hpp"

#include "model/build_network_plan.hpp"
#include "model/definition.hpp"
#include "model/freeze.hpp"

namespace mpsbench::model {

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
    if (spec.pad && node.type == "padding_mask") node.options[schema::kPaddedTexts] = true;
  }
  return plan;
}

}  // namespace mpsbench::model
