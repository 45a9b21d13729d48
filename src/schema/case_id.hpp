// The ids of cases.
#pragma once

#include "schema/case_spec.hpp"

#include <string>

namespace mpsbench::schema {

// Returns the id of a case without its changed options: "resnet50/train/cuda/b32/fp32/eager/synthetic". BATCH
// is the batch size, or how it is found.
[[nodiscard]] std::string plain_case_id(const CaseSpec& spec, const std::string& batch);

}  // namespace mpsbench::schema
