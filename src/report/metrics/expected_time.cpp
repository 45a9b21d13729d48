#include "report/metrics/expected_time.hpp"

#include "measure/work_amount.hpp"
#include "model/build_network_plan.hpp"
#include "report/metrics/ceilings.hpp"
#include "schema/network_plan.hpp"

#include <algorithm>

namespace mpsbench::report {
namespace {

// Typical of networks; the figures only need to be right within a factor of a few.
constexpr double kShareOfCeiling = 0.5;
constexpr double kThreadFlopsPerSecond = 2.5e10;
constexpr double kGpuFlopsPerSecond = 1e13;
constexpr double kSecondsPerLayer = 1e-5;
constexpr double kFewestSteps = 2;   // the first step, and one that is timed
constexpr double kDividedSteps = 1;  // one whose parts are timed, if it can be divided

double counted_steps(const schema::CaseSpec& spec) {
  if (spec.iterations) return static_cast<double>(*spec.iterations);
  return static_cast<double>(spec.epochs.value()) * static_cast<double>(measure::work_amount(spec).steps_per_epoch);
}

}  // namespace

std::optional<double> expected_step_seconds(const schema::RunRecord& record, const schema::PlannedCase& planned) {
  const schema::CaseSpec& spec = planned.spec;
  if (!row_of(spec.mode).has_network) return std::nullopt;
  const schema::NetworkPlan plan = model::case_network_plan(record.run, planned.definition_sha256, spec);
  if (schema::runs_model_file(plan)) return std::nullopt;
  const std::int64_t cores = record.host.cpu.physical_cores.value_or(spec.threads);
  const double assumed = spec.device.row().is_host
                             ? kThreadFlopsPerSecond * static_cast<double>(std::min(spec.threads, cores))
                             : kGpuFlopsPerSecond;
  const std::optional<double> ceiling = flops_ceiling(record.host.ceilings, spec);
  const double rate = ceiling ? kShareOfCeiling * *ceiling : assumed;
  return static_cast<double>(schema::flops_per_step(plan, spec.mode)) / rate +
         static_cast<double>(plan.nodes.size()) * kSecondsPerLayer * (row_of(spec.mode).trains ? 3 : 1);
}

ExpectedTime expected_time(const schema::RunRecord& record, const schema::PlannedCase& planned) {
  const double limit = measuring_limit_seconds(planned);
  const std::optional<double> step = expected_step_seconds(record, planned);
  if (!step) return {limit, false};
  if (planned.spec.epochs || planned.spec.iterations) return {counted_steps(planned.spec) * *step, true};
  const bool divides = row_of(planned.spec.mode).trains && !row_of(planned.spec.engine).captured;
  const double fewest = (kFewestSteps + (divides ? kDividedSteps : 0)) * *step;
  return fewest > limit ? ExpectedTime{fewest, true} : ExpectedTime{limit, false};
}

}  // namespace mpsbench::report
