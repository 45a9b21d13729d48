// Decides which launches a run still needs, and in which order.
#pragma once

#include "schema/report.hpp"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace mpsbench::supervise {

struct PlannedLaunch {
  std::size_t case_index = 0;  // in the plan
  std::int64_t index = 0;      // of its case

  auto operator<=>(const PlannedLaunch&) const = default;
};

// Returns the launches of case ID; none if RECORD does not know it.
[[nodiscard]] const std::vector<schema::Launch>& launches_of(const schema::RunRecord& record, const std::string& id);

// Returns a case's memory group: "model/mode/device/precision". The batches of one group run smallest first.
// If one ends with `oom`, the larger ones are skipped.
[[nodiscard]] std::string memory_group(const schema::CaseSpec& spec);

// Whether a comparison of QUANTITY with REFERENCE is true of both A and B, or of neither. They must be the same network
// in the same precision on the same device and, unless QUANTITY is the output, the same kind of step. What eager shows
// is true of the engine alone, or of the case if the engine runs a package, which each case has for itself.
[[nodiscard]] bool computes_alike(const schema::PlannedCase& a, const schema::PlannedCase& b,
                                  schema::Reference reference, schema::Compared quantity);

// Whether FAILED, a launch of BROKEN, shows that OTHER computes something wrong, too.
[[nodiscard]] bool condemns(const schema::Launch& failed, const schema::PlannedCase& broken,
                            const schema::PlannedCase& other);

[[nodiscard]] bool was_compared(const schema::Launch& launch, schema::Reference reference);

// Block r holds launch r of every case, shuffled by SEED (the same on every platform). Within a block, the
// batches of a memory group are ordered from small to large.
[[nodiscard]] std::vector<PlannedLaunch> launch_order(const std::vector<schema::PlannedCase>& plan, std::uint64_t seed);

// Whether a launch of RECORD crashed or lost a rank, so that a resumed run may have more success.
[[nodiscard]] bool has_crashed(const schema::RunRecord& record);

// Removes from RECORD the launches that a resumed run repeats: those that crashed, timed out, lost a rank,
// were interrupted or skipped. Those whose figures count become RECORD's unfinished ones until then.
void drop_unfinished(schema::RunRecord& record);

// Adds LAUNCH, which has ended, to the launches of case ID. If only the unfinished launch of the same number
// counts, adds that one instead.
void add_launch(schema::RunRecord& record, const std::string& id, schema::Launch launch);

// Returns the launches of RECORD's plan that RECORD does not contain, in the order of launch_order().
[[nodiscard]] std::vector<PlannedLaunch> missing_launches(const schema::RunRecord& record);

// Returns the number within the run of a launch that follows those of RECORD.
[[nodiscard]] std::int64_t next_order(const schema::RunRecord& record);

}  // namespace mpsbench::supervise
