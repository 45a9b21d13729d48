// Which launches a run still needs, and in which order.
#pragma once

#include "schema/report.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace mpsbench::supervise {

struct PlannedLaunch {
  std::size_t case_index = 0;  // in the plan
  std::int64_t index = 0;      // of its case
};

// Batches of one group are started smallest first, and an `oom` in one stops the larger ones:
// "model/mode/device/precision".
[[nodiscard]] std::string memory_group(const schema::CaseSpec& spec);

// Whether A and B are the same network in the same precision on the same device: an output that is wrong in
// one is wrong in the other.
[[nodiscard]] bool computes_alike(const schema::PlannedCase& a, const schema::PlannedCase& b);

// Block r holds launch r of every case, shuffled by SEED (alike on every platform); within a block no larger
// batch stands before a smaller one of its memory group.
[[nodiscard]] std::vector<PlannedLaunch> launch_order(const std::vector<schema::PlannedCase>& plan,
                                                      std::uint64_t seed);

// Takes out of RECORD what a resumed run does again: launches that crashed, timed out, were interrupted or
// skipped.
void drop_unfinished(schema::RunRecord& record);

// The launches of launch_order(record's plan and seed) that RECORD does not hold.
[[nodiscard]] std::vector<PlannedLaunch> missing_launches(const schema::RunRecord& record);

}  // namespace mpsbench::supervise
