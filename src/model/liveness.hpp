// Finds the last use of each slot, and checks that in-place layers do not overwrite what is still needed.
#pragma once

#include "model/graph.hpp"
#include "schema/case_spec.hpp"

#include <cstdint>
#include <vector>

namespace mpsbench::model {

// Throws Error(usage) if no layer reads an input or a layer's output.
void require_no_dead_ends(const Graph& graph);

// Throws Error(usage) if an in-place layer overwrites an input of the model, a tensor that a later layer
// reads, or, in training, one that the backward pass of an earlier layer needs.
void require_safe_in_place(const Graph& graph, schema::Mode mode);

// Fills each layer's release list. The network's output is never released.
void set_releases(Graph& graph);

// Returns the minimum that training must keep: the inputs that layers with weights need for their backward
// pass. The result has the number of elements of each piece of memory, counted once. The model's own inputs
// are left out.
[[nodiscard]] std::vector<std::int64_t> kept_elements(const Graph& graph);

}  // namespace mpsbench::model
