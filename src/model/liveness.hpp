// When slots die, and whether in-place layers overwrite what is still needed.
#pragma once

#include "model/graph.hpp"

#include <cstdint>
#include <vector>

namespace mpsbench::model {

// Throws Error(usage) at a layer or input that nobody reads.
void require_no_dead_ends(const Graph& graph);

// Throws Error(usage) at an in-place layer that overwrites a model's input, a tensor that a later layer
// reads, or one that the backward pass of an earlier layer needs.
void require_safe_in_place(const Graph& graph);

// Fills each layer's release list; the network's output is never released.
void set_releases(Graph& graph);

// Elements of what training cannot do without: the inputs that layers with weights keep for their backward
// pass, each piece of memory once, the model's own inputs left out.
[[nodiscard]] std::vector<std::int64_t> kept_elements(const Graph& graph);

}  // namespace mpsbench::model
