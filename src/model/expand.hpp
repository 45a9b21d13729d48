// Writes out blocks, groups and repeats. The result is the document's layers in order of execution, all
// planned.
#pragma once

#include "base/json_reader.hpp"
#include "model/graph.hpp"
#include "model/parameters.hpp"
#include "schema/case_spec.hpp"

#include <cstdint>

namespace mpsbench::model {

// More layers than any supported network has. The limit stops definitions whose nested repeats explode.
constexpr std::size_t kMaxLayers = 10'000;

// MODEL has the model's parameters. Throws Error(usage) for the first wrong entry.
[[nodiscard]] Graph expand(base::Reader document, const Environment& model, std::int64_t batch_size, schema::Mode mode);

}  // namespace mpsbench::model
