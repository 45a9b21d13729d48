// What tells a case from others of the same network, in plain words.
#pragma once

#include "schema/case_spec.hpp"

#include <string>
#include <vector>

namespace mpsbench::output {

// Returns "on 2 GPUs", "in 4 processes" or "in 1 process".
[[nodiscard]] std::string processes_text(const schema::CaseSpec& spec);

// Returns what SPEC has and not all OTHERS have, such as " at batch 256 in bf16 on cuda".
[[nodiscard]] std::string distinguishing_words(const schema::CaseSpec& spec,
                                               const std::vector<schema::CaseSpec>& others);

}  // namespace mpsbench::output
