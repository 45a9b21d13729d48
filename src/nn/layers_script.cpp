// A network that is code of its own.
#include "base/error.hpp"
#include "nn/registry.hpp"
#include "nn/script_module.hpp"

#include <array>

namespace mpsbench::nn {
namespace {

Forward make_torchscript(const Node& node) {
  if (!node.module()) throw base::usage_error("a torchscript layer stands only for --model FILE.pt");
  return [module = node.module(), training = node.training()](const Inputs& in) {
    std::vector<at::Tensor> inputs;
    for (std::size_t i = 0; i < in.size(); ++i) inputs.push_back(in[i]);
    return module->forward(inputs, training);
  };
}

constexpr std::array<LayerType, 1> kLayers{{{schema::kScriptLayer, make_torchscript}}};

}  // namespace

std::span<const LayerType> script_layers() {
  return kLayers;
}

}  // namespace mpsbench::nn
