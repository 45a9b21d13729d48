// The expanded network while it is planned: layers in order of execution, and what is known of each slot.
#pragma once

#include "model/layer_type.hpp"
#include "schema/network_plan.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace mpsbench::model {

enum class DType { float32, int64, boolean };

[[nodiscard]] std::string to_string(DType dtype);

// What a slot holds.
struct Value {
  schema::Shape shape;
  DType dtype = DType::float32;
  bool requires_grad = false;
  std::int64_t high = 0;  // int64: its numbers are 0 ... high-1
};

// Where a layer's output lies: in memory of its own, in its first input's, or in its first input's
// overwritten.
enum class Storage { own, view, in_place };

struct Layer {
  schema::NetworkNode node;
  const LayerType* type = nullptr;
  std::string path;  // of the layer in the definition, for messages
  Storage storage = Storage::own;
};

struct Graph {
  std::string file;
  std::vector<schema::NetworkInput> inputs;
  std::vector<Value> values;  // by slot
  std::vector<Layer> layers;
  int output = 0;  // slot
};

}  // namespace mpsbench::model
