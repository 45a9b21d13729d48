// How well a case scales over several processes: its efficiency, and what averaging gradients costs.
#pragma once

#include "report/metrics/metrics.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::report {

// Returns the spec of the same work in one process, without its threads.
[[nodiscard]] schema::CaseSpec work_in_one_process(schema::CaseSpec spec);

// How well a case with one process fits one with several.
enum class ScalingFit {
  none,
  default_threads,  // the same work, but the number of threads is the default of each
  equal,            // the same work with the same number of threads
};

[[nodiscard]] ScalingFit scaling_fit(const std::string& one_id, const schema::CaseSpec& one, const std::string& many_id,
                                     const schema::CaseSpec& many);

// Returns the case of ALL that does the work of MANY in one process, or null. A case has id,
// definition_sha256 and spec.
template <typename Case>
[[nodiscard]] const Case* one_process_case(const Case& many, const std::vector<Case>& all) {
  const Case* best = nullptr;
  ScalingFit best_fit = ScalingFit::none;
  for (const Case& one : all) {
    if (one.definition_sha256 != many.definition_sha256) continue;
    const ScalingFit fit = scaling_fit(one.id, one.spec, many.id, many.spec);
    if (fit <= best_fit) continue;
    best = &one;
    best_fit = fit;
  }
  return best;
}

// Sets the efficiency of PLANNED, a case with several processes, from the launches of RECORD, or notes why it is
// null.
void set_efficiency(const schema::RunRecord& record, const schema::PlannedCase& planned, MetricsAndNotes& figures);

struct Straggler {
  std::int64_t rank = 0;
  double excess = 0;  // how much longer its step computes than the others' median, as a share
};

// Returns the rank that computes longer than the others by more than kStragglerExcess in every good launch.
// Fewer than kLeastStragglerLaunches show nothing, because each launch has a slowest rank.
[[nodiscard]] std::optional<Straggler> straggler_of(const schema::CaseResult& result);

}  // namespace mpsbench::report
