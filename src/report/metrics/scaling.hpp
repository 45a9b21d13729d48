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

// Whether ONE does the work of MANY in one process. Their threads may differ.
[[nodiscard]] bool is_work_in_one_process(const schema::CaseSpec& one, const schema::CaseSpec& many);

// Returns the case of ALL that does the work of MANY in one process, or null. If none has as many threads, both must
// have their defaults. A case has id, definition_sha256 and spec.
template <typename Case>
[[nodiscard]] const Case* one_process_case(const Case& many, const std::vector<Case>& all) {
  const auto has_own_threads = [](const Case& one) { return schema::CaseId(one.id).has_option("threads"); };
  const Case* found = nullptr;
  for (const Case& one : all) {
    if (one.definition_sha256 != many.definition_sha256 || !is_work_in_one_process(one.spec, many.spec)) continue;
    if (one.spec.threads == many.spec.threads) return &one;
    if (found == nullptr && !has_own_threads(one) && !has_own_threads(many)) found = &one;
  }
  return found;
}

// Sets the efficiency of PLANNED, a case with several processes, from the launches of RECORD, or notes why it is null.
void set_efficiency(const schema::RunRecord& record, const schema::PlannedCase& planned, MetricsAndNotes& figures);

struct Straggler {
  std::int64_t rank = 0;
  double excess = 0;  // how much longer its step computes than the others' median, as a share
};

// Returns the rank that computes longer than the others by more than kStragglerExcess in every good launch.
// Fewer than kLeastStragglerLaunches show nothing, because each launch has a slowest rank.
[[nodiscard]] std::optional<Straggler> straggler_of(const schema::CaseResult& result);

}  // namespace mpsbench::report
