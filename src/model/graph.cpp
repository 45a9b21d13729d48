#include "model/graph.hpp"

#include "base/error.hpp"
#include "model/sizes.hpp"

#include <algorithm>
#include <cstddef>
#include <map>

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

// Returns the layer whose output is SLOT, which is no input of the network. Slots are in the order of the layers.
const Layer& maker_of(const Graph& graph, int slot) {
  return graph.layers[at(slot) - graph.inputs.size()];
}

// Whether SLOT is the network's output or an auxiliary one.
bool is_output(const Graph& graph, int slot) {
  return slot == graph.output ||
         std::ranges::find(graph.auxiliary, slot, &schema::AuxiliaryOutput::slot) != graph.auxiliary.end();
}

// Returns for each slot the last layer that reads it.
std::vector<std::ptrdiff_t> last_reads(const Graph& graph) {
  std::vector<std::ptrdiff_t> last(graph.values.size(), kNever);
  for (std::size_t i = 0; i < graph.layers.size(); ++i) {
    for (const int slot : graph.layers[i].node.inputs) last[at(slot)] = static_cast<std::ptrdiff_t>(i);
  }
  return last;
}

// Where a slot's tensor is.
struct Place {
  int root = 0;             // the slot whose memory it uses
  bool rearranged = false;  // in another order, or only a part of it
};

std::vector<Place> places_of(const Graph& graph) {
  std::vector<Place> places(graph.values.size());
  for (std::size_t i = 0; i < graph.inputs.size(); ++i) places[i].root = static_cast<int>(i);
  for (const Layer& layer : graph.layers) {
    Place& place = places[at(layer.node.output)];
    const bool is_own = layer.storage == Storage::own || layer.storage == Storage::parameter;
    place = is_own ? Place{layer.node.output} : places[at(layer.node.inputs.front())];
    if (layer.storage == Storage::rearranged) place.rearranged = true;
  }
  return places;
}

// Whether the backward pass of LAYER reads its input number I.
bool keeps_input(const Graph& graph, const Layer& layer, std::size_t i) {
  const std::vector<int>& inputs = layer.node.inputs;
  if (layer.saves == Saves::factors) {
    for (std::size_t other = 0; other < inputs.size(); ++other) {
      if (other != i && graph.values[at(inputs[other])].requires_grad) return true;
    }
    return false;
  }
  if (layer.saves == Saves::both) return true;
  return (layer.saves == Saves::input || layer.saves == Saves::input_or_output) && layer.storage != Storage::in_place;
}

bool keeps_output(const Layer& layer) {
  if (layer.saves == Saves::input_or_output) return layer.storage == Storage::in_place;
  return layer.saves == Saves::output || layer.saves == Saves::both;
}

// The history of one piece of memory.
struct Memory {
  std::vector<int> slots;
  const Layer* needed_by = nullptr;  // a layer whose backward pass reads this memory
};

using Memories = std::map<int, Memory>;  // by the slot that owns it

// Notes what LAYER keeps. A layer without a gradient keeps nothing.
void note_kept(Memories& memories, const Graph& graph, const std::vector<Place>& places, const Layer& layer) {
  if (!graph.values[at(layer.node.output)].requires_grad) return;
  const auto note = [&](int slot) {
    Memory& memory = memories[places[at(slot)].root];
    if (!memory.needed_by) memory.needed_by = &layer;
  };
  for (std::size_t i = 0; i < layer.node.inputs.size(); ++i) {
    if (keeps_input(graph, layer, i)) note(layer.node.inputs[i]);
  }
  if (keeps_output(layer)) note(layer.node.output);
}

// Throws Error(usage) if anything still needs WRITTEN, the memory that layer I overwrites.
void require_unneeded(const Graph& graph, const std::vector<std::ptrdiff_t>& last, std::size_t i,
                      const Memory& written) {
  const Layer& layer = graph.layers[i];
  if (at(written.slots.front()) < graph.inputs.size()) {
    throw error_at(graph, layer, "this in-place layer would overwrite the model's input; leave 'inplace' out");
  }
  const Layer& owner = maker_of(graph, written.slots.front());
  if (owner.storage == Storage::parameter)
    throw error_at(graph, layer,
                   "this in-place layer would overwrite the parameter '" + owner.node.name + "'; leave 'inplace' out");
  for (const int slot : written.slots) {
    if (last[at(slot)] <= static_cast<std::ptrdiff_t>(i)) continue;
    const Layer& reader = graph.layers[static_cast<std::size_t>(last[at(slot)])];
    throw error_at(graph, layer,
                   "this in-place layer overwrites what '" + reader.node.name + "' reads later; leave 'inplace' out");
  }
  if (written.needed_by) {
    throw error_at(graph, layer,
                   "this in-place layer overwrites what the backward pass of '" + written.needed_by->node.name +
                       "' needs; leave 'inplace' out");
  }
}

// Throws Error(usage) if LAYER reads the memory that it overwrites in another order.
void require_one_order(const Graph& graph, const std::vector<Place>& places, const Layer& layer) {
  const int written = layer.node.inputs.front();
  for (const int slot : layer.node.inputs) {
    const bool shared = slot != written && places[at(slot)].root == places[at(written)].root;
    if (shared && (places[at(slot)].rearranged || places[at(written)].rearranged)) {
      throw error_at(graph, layer,
                     "this in-place layer overwrites one of its inputs while it reads the same memory in "
                     "another order; leave 'inplace' out");
    }
  }
}

}  // namespace

void require_no_dead_ends(const Graph& graph) {
  const std::vector<std::ptrdiff_t> last = last_reads(graph);
  for (std::size_t i = 0; i < graph.inputs.size(); ++i) {
    if (last[i] != kNever) continue;
    throw base::usage_error(graph.file + ": $.inputs[" + std::to_string(i) + "]: no layer reads this input; remove it");
  }
  for (const Layer& layer : graph.layers) {
    if (last[at(layer.node.output)] != kNever || is_output(graph, layer.node.output)) continue;
    throw error_at(graph, layer,
                   "no later layer reads this output, and it is not the network's output; remove the layer");
  }
}

void require_safe_in_place(const Graph& graph, schema::Mode mode) {
  const std::vector<std::ptrdiff_t> last = last_reads(graph);
  const std::vector<Place> places = places_of(graph);
  Memories memories;
  for (int i = 0; i < static_cast<int>(graph.inputs.size()); ++i) memories[i].slots = {i};

  for (std::size_t i = 0; i < graph.layers.size(); ++i) {
    const Layer& layer = graph.layers[i];
    Memory& written = memories[places[at(layer.node.output)].root];
    if (layer.storage == Storage::in_place) {
      require_unneeded(graph, last, i, written);
      require_one_order(graph, places, layer);
    }
    if (row_of(mode).trains) note_kept(memories, graph, places, layer);
    written.slots.push_back(layer.node.output);
  }
}

void set_releases(Graph& graph) {
  const std::vector<std::ptrdiff_t> last = last_reads(graph);
  for (std::size_t slot = 0; slot < last.size(); ++slot) {
    if (last[slot] == kNever || is_output(graph, static_cast<int>(slot))) continue;
    graph.layers[static_cast<std::size_t>(last[slot])].node.release.push_back(static_cast<int>(slot));
  }
}

double peak_activation_bytes(const Graph& graph, schema::Mode mode) {
  const std::vector<Place> places = places_of(graph);
  const std::vector<std::ptrdiff_t> last = last_reads(graph);
  Memories kept;
  std::map<int, std::ptrdiff_t> needed_until;  // by the slot that owns the memory
  for (std::size_t slot = 0; slot < last.size(); ++slot) {
    std::ptrdiff_t& until = needed_until[places[slot].root];
    until = std::max(until, last[slot]);
  }
  if (row_of(mode).trains) {
    for (const Layer& layer : graph.layers) note_kept(kept, graph, places, layer);
  }
  const auto bytes_of = [&](int slot) {
    const Value& value = graph.values[at(slot)];
    return static_cast<double>(elements(value.shape).value_or(kMaxElements) * row_of(value.dtype).bytes);
  };
  double now = 0;
  double peak = 0;
  std::map<std::ptrdiff_t, double> freed;  // after a layer
  for (std::size_t i = 0; i < graph.layers.size(); ++i) {
    const Layer& layer = graph.layers[i];
    const int slot = layer.node.output;
    if (layer.storage == Storage::own) {
      now += bytes_of(slot);
      if (!is_output(graph, slot) && kept[slot].needed_by == nullptr) freed[needed_until[slot]] += bytes_of(slot);
    }
    peak = std::max(peak, now);
    now -= freed[static_cast<std::ptrdiff_t>(i)];
  }
  // Two more of the logits: the loss keeps their probabilities and makes their gradient, and in inference those of the
  // first step and of the last one are still there.
  return peak + 2 * bytes_of(graph.output);
}

std::vector<std::int64_t> kept_elements(const Graph& graph) {
  const std::vector<Place> places = places_of(graph);
  std::map<int, std::int64_t> kept;
  for (const Layer& layer : graph.layers) {
    if (layer.node.tensors.empty() || layer.saves == Saves::nothing) continue;
    const int slot = layer.node.inputs.front();
    const Value& input = graph.values[at(slot)];
    if (input.dtype != DType::float32 || at(places[at(slot)].root) < graph.inputs.size()) continue;
    const int root = places[at(slot)].root;
    if (maker_of(graph, root).storage == Storage::parameter) continue;
    std::int64_t& most = kept[root];
    most = std::max(most, elements(input.shape).value_or(kMaxElements));
  }
  std::vector<std::int64_t> counts;
  for (const auto& [root, count] : kept) counts.push_back(count);
  return counts;
}

}  // namespace mpsbench::model
