#include "report/metrics/least_traffic.hpp"

#include "base/error.hpp"
#include "model/case_network_plan.hpp"

namespace mpsbench::report {

double least_step_bytes(const schema::NetworkPlan& plan, const schema::CaseSpec& spec) {
  const double read = static_cast<double>(plan.parameter_bytes) + static_cast<double>(plan.input_bytes);
  if (spec.mode != schema::Mode::train) return read;
  const double trainable_share = plan.parameters > 0 ? static_cast<double>(plan.trainable_parameters) /
                                                           static_cast<double>(plan.parameters)
                                                     : 0;
  return read + trainable_share * static_cast<double>(plan.parameter_bytes) +
         2 * row_of(spec.precision).activation_share * static_cast<double>(plan.activation_bytes);
}

std::optional<double> least_step_bytes(const schema::RunInfo& run, const schema::CaseResult& result) {
  if (run.definitions.count(result.definition_sha256) == 0) return std::nullopt;
  try {
    const schema::NetworkPlan plan = model::case_network_plan(run, result.definition_sha256, result.spec);
    if (schema::runs_model_file(plan)) return std::nullopt;
    const double bytes = least_step_bytes(plan, result.spec);
    return bytes > 0 ? std::optional(bytes) : std::nullopt;
  } catch (const base::Error&) {  // a stranger's definition may be broken
    return std::nullopt;
  }
}

}  // namespace mpsbench::report
