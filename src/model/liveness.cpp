#include "model/liveness.hpp"

#include "base/error.hpp"
#include "model/sizes.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace mpsbench::model {
namespace {

constexpr std::ptrdiff_t kNever = -1;

std::size_t at(int slot) {
  return static_cast<std::size_t>(slot);
}

base::Error error_at(const Graph& graph, const Layer& layer, const std::string& message) {
  return base::usage_error(graph.file + ": " + layer.path + ": " + message + " (" + layer.node.type + " '" +
                           layer.node.name + "')");
}

// Returns for each slot the last layer that reads it.
std::vector<std::ptrdiff_t> last_reads(const Graph& graph) {
  std::vector<std::ptrdiff_t> last(graph.values.size(), kNever);
  for (std::size_t i = 0; i < graph.layers.size(); ++i) {
    for (const int slot : graph.layers[i].node.inputs) last[at(slot)] = static_cast<std::ptrdiff_t>(i);
  }
  return last;
}

// Returns for each slot the slot whose memory it uses.
std::vector<int> storage_roots(const Graph& graph) {
  std::vector<int> roots(graph.values.size());
  for (std::size_t i = 0; i < graph.inputs.size(); ++i) roots[i] = static_cast<int>(i);
  for (const Layer& layer : graph.layers) {
    const bool own = layer.storage == Storage::own;
    roots[at(layer.node.output)] = own ? layer.node.output : roots[at(layer.node.inputs.front())];
  }
  return roots;
}

// The history of one piece of memory.
struct Memory {
  std::vector<int> slots;
  const Layer* needed_by = nullptr;  // a layer whose backward pass reads this memory
};

void note(Memory& memory, const Layer& layer) {
  if (!memory.needed_by) memory.needed_by = &layer;
}

// Throws Error(usage) if anything still needs WRITTEN, the memory that layer I overwrites.
void require_unneeded(const Graph& graph, const std::vector<std::ptrdiff_t>& last, std::size_t i,
                      const Memory& written) {
  const Layer& layer = graph.layers[i];
  if (at(written.slots.front()) < graph.inputs.size()) {
    throw error_at(graph, layer,
                   "this in-place layer would overwrite the model's input; leave 'inplace' out");
  }
  for (const int slot : written.slots) {
    if (last[at(slot)] <= static_cast<std::ptrdiff_t>(i)) continue;
    const Layer& reader = graph.layers[static_cast<std::size_t>(last[at(slot)])];
    throw error_at(
        graph, layer,
        "this in-place layer overwrites what '" + reader.node.name + "' reads later; leave 'inplace' out");
  }
  if (written.needed_by) {
    throw error_at(graph, layer,
                   "this in-place layer overwrites what the backward pass of '" +
                       written.needed_by->node.name + "' needs; leave 'inplace' out");
  }
}

}  // namespace

void require_no_dead_ends(const Graph& graph) {
  const std::vector<std::ptrdiff_t> last = last_reads(graph);
  for (std::size_t i = 0; i < graph.inputs.size(); ++i) {
    if (last[i] != kNever) continue;
    throw base::usage_error(graph.file + ": $.inputs[" + std::to_string(i) +
                            "]: no layer reads this input; remove it");
  }
  for (const Layer& layer : graph.layers) {
    if (last[at(layer.node.output)] != kNever || layer.node.output == graph.output) continue;
    throw error_at(graph, layer,
                   "no later layer reads this output, and it is not the network's output; remove the layer");
  }
}

void require_safe_in_place(const Graph& graph) {
  const std::vector<std::ptrdiff_t> last = last_reads(graph);
  const std::vector<int> roots = storage_roots(graph);
  std::map<int, Memory> memories;
  for (std::size_t i = 0; i < graph.inputs.size(); ++i)
    memories[static_cast<int>(i)].slots = {static_cast<int>(i)};

  for (std::size_t i = 0; i < graph.layers.size(); ++i) {
    const Layer& layer = graph.layers[i];
    Memory& written = memories[roots[at(layer.node.output)]];
    if (layer.storage == Storage::in_place) require_unneeded(graph, last, i, written);
    for (const int slot : layer.node.inputs) {
      const bool overwrites_it = layer.storage == Storage::in_place && slot == layer.node.inputs.front();
      if (saves_input(*layer.type) && !overwrites_it) note(memories[roots[at(slot)]], layer);
    }
    // An in-place layer that normally keeps its input keeps its output instead.
    const bool keeps =
        saves_output(*layer.type) || (saves_input(*layer.type) && layer.storage == Storage::in_place);
    if (keeps) note(written, layer);
    written.slots.push_back(layer.node.output);
  }
}

void set_releases(Graph& graph) {
  const std::vector<std::ptrdiff_t> last = last_reads(graph);
  for (std::size_t slot = 0; slot < last.size(); ++slot) {
    if (last[slot] == kNever || static_cast<int>(slot) == graph.output) continue;
    graph.layers[static_cast<std::size_t>(last[slot])].node.release.push_back(static_cast<int>(slot));
  }
}

std::vector<std::int64_t> kept_elements(const Graph& graph) {
  const std::vector<int> roots = storage_roots(graph);
  std::map<int, std::int64_t> kept;
  for (const Layer& layer : graph.layers) {
    if (layer.node.tensors.empty()) continue;
    const int slot = layer.node.inputs.front();
    const Value& input = graph.values[at(slot)];
    if (input.dtype != DType::float32 || at(roots[at(slot)]) < graph.inputs.size()) continue;
    std::int64_t& most = kept[roots[at(slot)]];
    most = std::max(most, elements(input.shape).value_or(kMaxElements));
  }
  std::vector<std::int64_t> counts;
  for (const auto& [root, count] : kept) counts.push_back(count);
  return counts;
}

}  // namespace mpsbench::model
