// The layer that runs a whole network from a TorchScript file.
#include "model/layer_context.hpp"
#include "model/layer_table.hpp"

namespace mpsbench::model {
namespace {

// The plan does not know what the file contains, so it has no parameters and no counts.
void plan_torchscript(LayerContext& layer) {
  schema::Shape shape = layer.list("outputs");
  shape.insert(shape.begin(), layer.input().shape.at(0));
  layer.set_output(shape);
  layer.set_differentiable();
}

}  // namespace

std::vector<LayerType> script_layers() {
  return {{schema::kScriptLayer,
           1,
           16,
           Saves::both,
           {required("outputs", LayerOptionKind::integers)},
           plan_torchscript}};
}

}  // namespace mpsbench::model
