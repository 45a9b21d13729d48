// The layers that run a whole network from a user's model file.
#include "model/layer_context.hpp"
#include "model/layer_table.hpp"

namespace mpsbench::model {
namespace {

// The plan does not know what the file contains, so it has no parameters and no counts.
void plan_model_file(LayerContext& layer) {
  schema::Shape shape = layer.list("outputs");
  shape.insert(shape.begin(), layer.input().shape.at(0));
  layer.set_output(shape);
  layer.set_differentiable();
}

}  // namespace

std::vector<LayerType> file_layers() {
  const std::vector<LayerOption> options{required("outputs", LayerOptionKind::integers)};
  return {{schema::kScriptLayer, 1, 16, Saves::both, options, plan_model_file},
          {schema::kPackageLayer, 1, 16, Saves::both, options, plan_model_file}};
}

}  // namespace mpsbench::model
