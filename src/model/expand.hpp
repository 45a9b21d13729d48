// Blocks, groups and repeats written out: the document's layers in order of execution, each planned.
#pragma once

#include "base/json_reader.hpp"
#include "model/graph.hpp"
#include "model/parameters.hpp"
#include "schema/case_spec.hpp"

#include <cstdint>

namespace mpsbench::model {

// More layers than any of these networks has; a definition whose repeats multiply ends here.
constexpr std::size_t kMaxLayers = 10'000;

// MODEL holds the model's parameters. Throws Error(usage) at the first entry that is wrong.
[[nodiscard]] Graph expand(base::Reader document, const Environment& model, std::int64_t batch_size,
                           schema::Mode mode);

}  // namespace mpsbench::model
