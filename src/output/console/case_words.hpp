// What tells a case from others of the same network, and how it scales over processes, in plain words.
#pragma once

#include "schema/case_spec.hpp"
#include "schema/report.hpp"

#include <string>
#include <vector>

namespace mpsbench::output {

// Returns what SPEC has and not all OTHERS have, such as " at batch 256 in bf16 on cuda".
[[nodiscard]] std::string distinguishing_words(const schema::CaseSpec& spec,
                                               const std::vector<schema::CaseSpec>& others);

// Returns sentences such as "On 2 GPUs, resnet50 trains 1.93 times as many rows a second as on 1: efficiency
// 96.6 % (95.2–98.0 %); 400 µs of each step wait for gradients.": one for the most processes that do the same
// work, and at most a few, first one of each network. Where a network does several kinds of work, the
// sentence tells which. If no case has an efficiency, but one has several processes, says how to get it.
// Otherwise there are none.
[[nodiscard]] std::vector<std::string> scaling_sentences(const schema::Report& report);

}  // namespace mpsbench::output
