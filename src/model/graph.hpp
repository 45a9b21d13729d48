// The expanded network during planning: its layers in order of execution, and the properties of each slot.
#pragma once

#include "model/layer_table.hpp"
#include "schema/case_spec.hpp"
#include "schema/network_plan.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::model {

using schema::DType;

// The properties of a slot's tensor.
struct Value {
  schema::Shape shape;
  DType dtype = DType::float32;
  bool requires_grad = false;
  std::int64_t high = 0;  // for whole numbers: they are 0 ... high-1
};

// Where a layer's output is. own: in new memory. view: in its first input's memory, unchanged. rearranged: a
// view in another order or of a part. in_place: in its first input's memory, overwritten. parameter: it is the layer's
// parameter.
enum class Storage { own, view, rearranged, in_place, parameter };

struct Layer {
  schema::NetworkNode node;
  const LayerType* type = nullptr;
  std::string path;  // JSON path of the layer in the definition, for messages
  Storage storage = Storage::own;
  Saves saves = Saves::nothing;                          // the type's, unless an option changes it
  std::optional<schema::NetworkTensor> shared_weight{};  // another layer's, in place of its own
};

struct Graph {
  std::string file;
  std::vector<schema::NetworkInput> inputs;
  std::vector<Value> values;  // indexed by slot
  std::vector<Layer> layers;
  int output = 0;  // slot number
  std::vector<schema::AuxiliaryOutput> auxiliary;
};

// Throws Error(usage) if no layer reads an input or a layer's output.
void require_no_dead_ends(const Graph& graph);

// Throws Error(usage) if an in-place layer overwrites an input of the model, a tensor that a later layer
// reads, or, in training, one that the backward pass of an earlier layer needs.
void require_safe_in_place(const Graph& graph, schema::Mode mode);

// Fills each layer's release list. The network's outputs are never released.
void set_releases(Graph& graph);

// Returns the minimum that training must keep: the inputs that layers with weights need for their backward pass. The
// result has the number of elements of each piece of memory, counted once. The model's own inputs are left out.
[[nodiscard]] std::vector<std::int64_t> kept_elements(const Graph& graph);

// Returns the most bytes of layers' outputs at once, in fp32. In training it has what the backward pass needs, also of
// the loss, but no other gradients.
[[nodiscard]] double peak_activation_bytes(const Graph& graph, schema::Mode mode);

}  // namespace mpsbench::model
