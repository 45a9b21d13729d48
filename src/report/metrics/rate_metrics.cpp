#include "report/metrics/rate_metrics.hpp"

#include "report/metrics/ceilings.hpp"

namespace mpsbench::report {

void set_least_traffic(const schema::CaseSpec& spec, double least_bytes, schema::Metrics& metrics,
                       Notes& notes) {
  const std::string path = "metrics.bytes_per_second";
  if (!metrics.flops_per_step) {
    notes[path] = notes.at("metrics.flops_per_step");
  } else if (!(least_bytes > 0)) {
    notes[path] = "the least memory traffic of a step is not known";
  } else if (!metrics.rows_per_second.value) {
    notes[path] = "no step was measured";
  } else {
    metrics.bytes_per_second =
        least_bytes * *metrics.rows_per_second.value / static_cast<double>(schema::rows_per_step(spec));
  }
}

void set_ceiling_share(const schema::CaseSpec& spec, std::optional<double> flops_ceiling,
                       schema::Metrics& metrics, Notes& notes) {
  const std::string path = "metrics.ceiling_share";
  if (!metrics.flops_per_step) {
    notes[path] = notes.at("metrics.flops_per_step");
  } else if (!can_have_ceiling(spec)) {
    notes[path] = spec.ranks > 1 ? "the CPU's ceiling is measured by one process, but several share the CPU"
                                 : "the CPU's ceiling is measured on all CPUs, but --affinity left some out";
  } else if (!flops_ceiling) {
    notes[path] = "the ceiling of " + to_string(spec.precision) + " on " + to_string(spec.device) +
                  " is not known; run with --ceilings";
  } else if (!metrics.flops_per_second) {
    notes[path] = "no step was measured";
  } else {
    metrics.ceiling_share = *metrics.flops_per_second / *flops_ceiling;
  }
}

void set_value(std::optional<double> price_dollars, schema::Metrics& metrics, Notes& notes) {
  const std::string path = "metrics.rows_per_second_per_1000_dollars";
  constexpr double kThousand = 1000;
  if (!price_dollars) {
    notes[path] = "the machine's price was not given (--price)";
  } else if (!metrics.rows_per_second.value) {
    notes[path] = "no step was measured";
  } else {
    metrics.rows_per_second_per_1000_dollars = *metrics.rows_per_second.value / *price_dollars * kThousand;
  }
}

}  // namespace mpsbench::report
