// The expanded network during planning: its layers in order of execution, and the properties of each slot.
#pragma once

#include "model/layer_type.hpp"
#include "schema/network_plan.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace mpsbench::model {

enum class DType { float32, int64, boolean };

[[nodiscard]] std::string to_string(DType dtype);

// The properties of a slot's tensor.
struct Value {
  schema::Shape shape;
  DType dtype = DType::float32;
  bool requires_grad = false;
  std::int64_t high = 0;  // for int64: the numbers are 0 ... high-1
};

// Where a layer's output is. own: in new memory. view: in its first input's memory, unchanged. rearranged: a
// view in another order or of a part. in_place: in its first input's memory, overwritten.
enum class Storage { own, view, rearranged, in_place };

struct Layer {
  schema::NetworkNode node;
  const LayerType* type = nullptr;
  std::string path;  // JSON path of the layer in the definition, for messages
  Storage storage = Storage::own;
  Saves saves = Saves::nothing;  // the type's, unless an option changes it
};

struct Graph {
  std::string file;
  std::vector<schema::NetworkInput> inputs;
  std::vector<Value> values;  // indexed by slot
  std::vector<Layer> layers;
  int output = 0;  // slot number
};

}  // namespace mpsbench::model
