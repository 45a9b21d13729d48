// Pooling over images [batch, channels, height, width].
#include "model/layer_context.hpp"
#include "model/layer_table.hpp"

namespace mpsbench::model {
namespace {

void plan_window(LayerContext& layer, const Pair& dilation) {
  const schema::Shape& x = layer.floats(0, 4, 4);
  if (layer.is_null("stride")) layer.set_option("stride", layer.list("kernel_size"));
  const auto [kernel_h, kernel_w] = layer.pair("kernel_size");
  const auto [stride_h, stride_w] = layer.pair("stride");
  const auto [padding_h, padding_w] = layer.pair("padding");
  const bool ceil_mode = layer.flag("ceil_mode");
  if (padding_h > kernel_h / 2 || padding_w > kernel_w / 2) {
    throw layer.error_at("padding", "must be at most half the kernel");
  }
  const std::int64_t height = window_output(x[2], {kernel_h, stride_h, padding_h, dilation.first, ceil_mode});
  const std::int64_t width = window_output(x[3], {kernel_w, stride_w, padding_w, dilation.second, ceil_mode});
  if (height < 1 || width < 1)
    throw layer.error_at("kernel_size",
                         "the window is larger than the padded image; lower kernel_size or raise padding");
  layer.set_output({x[0], x[1], height, width});
}

void plan_max_pool2d(LayerContext& layer) {
  plan_window(layer, layer.pair("dilation"));
}
void plan_avg_pool2d(LayerContext& layer) {
  plan_window(layer, {1, 1});
}

void plan_adaptive_avg_pool2d(LayerContext& layer) {
  const schema::Shape& x = layer.floats(0, 4, 4);
  const auto [height, width] = layer.pair("output_size");
  layer.set_output({x[0], x[1], height, width});
  if (height == 1 && width == 1) layer.set_saves(Saves::nothing);  // LibTorch computes it as a mean
}

}  // namespace

std::vector<LayerType> pooling_layers() {
  return {
      {"max_pool2d",
       1,
       1,
       Saves::input,
       {required("kernel_size", LayerOptionKind::pair), optional("stride", LayerOptionKind::pair, nullptr, 1),
        optional("padding", LayerOptionKind::pair, {0, 0}),
        optional("dilation", LayerOptionKind::pair, {1, 1}, 1),
        optional("ceil_mode", LayerOptionKind::boolean, false)},
       plan_max_pool2d},
      {"avg_pool2d",
       1,
       1,
       Saves::input,
       {required("kernel_size", LayerOptionKind::pair), optional("stride", LayerOptionKind::pair, nullptr, 1),
        optional("padding", LayerOptionKind::pair, {0, 0}),
        optional("ceil_mode", LayerOptionKind::boolean, false),
        optional("count_include_pad", LayerOptionKind::boolean, true)},
       plan_avg_pool2d},
      {"adaptive_avg_pool2d",
       1,
       1,
       Saves::input,
       {required("output_size", LayerOptionKind::pair)},
       plan_adaptive_avg_pool2d},
  };
}

}  // namespace mpsbench::model
