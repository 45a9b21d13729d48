#include "model/layer_context.hpp"
#include "model/layer_table.hpp"

#include <algorithm>
#include <numeric>
#include <optional>

namespace mpsbench::model {

namespace {

using Kind = LayerOptionKind;

// Layers that only change the shape. Dimension 0, the batch, always stays.

constexpr double kFirstDim = -8;
constexpr double kLastDim = 7;

void set_view(LayerContext& layer, schema::Shape shape, bool rearranged = false) {
  layer.set_output(std::move(shape));
  layer.set_storage(rearranged ? Storage::rearranged : Storage::view);
}

void plan_flatten(LayerContext& layer) {
  const schema::Shape& x = layer.floats(0, 2);
  const std::size_t first = layer.dimension("start_dim", layer.integer("start_dim"), x.size());
  const std::size_t last = layer.dimension("end_dim", layer.integer("end_dim"), x.size());
  if (first > last) throw layer.error_at("start_dim", "must not be after end_dim");
  schema::Shape shape(x.begin(), x.begin() + static_cast<std::ptrdiff_t>(first));
  std::int64_t joined = 1;
  for (std::size_t i = first; i <= last; ++i) joined *= x[i];
  shape.push_back(joined);
  shape.insert(shape.end(), x.begin() + static_cast<std::ptrdiff_t>(last) + 1, x.end());
  set_view(layer, std::move(shape));
}

// Returns the place of the size that means the rest, -1, or nullopt if there is none.
std::optional<std::size_t> open_size(const LayerContext& layer, const schema::Shape& sizes) {
  std::optional<std::size_t> open;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] > 0) continue;
    if (sizes[i] != -1 || open)
      throw layer.error_at("sizes", "every size must be above 0; one of them may be -1, which means the rest");
    open = i;
  }
  return open;
}

base::Error cannot_split(const LayerContext& layer, std::size_t dim, std::int64_t size, const schema::Shape& sizes) {
  return layer.error_at("sizes", "dimension " + std::to_string(dim) + " of size " + std::to_string(size) +
                                     " cannot be split into " + schema::to_string(sizes));
}

void plan_unflatten(LayerContext& layer) {
  const schema::Shape& x = layer.floats(0, 2);
  const std::size_t dim = layer.dimension("dim", layer.integer("dim"), x.size());
  schema::Shape sizes = layer.list("sizes");
  const std::optional<std::size_t> open = open_size(layer, sizes);
  std::int64_t known = 1;
  for (const std::int64_t size : sizes) {
    if (size > 0) known = product(known, size, kMaxElements).value_or(0);
  }
  if (known == 0 || (open ? x[dim] % known != 0 : x[dim] != known)) throw cannot_split(layer, dim, x[dim], sizes);
  if (open) sizes[*open] = x[dim] / known;
  schema::Shape shape = x;
  const auto place = shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(dim));
  shape.insert(place, sizes.begin(), sizes.end());
  if (shape.size() > 8) throw layer.error_at("sizes", "a tensor may have at most 8 dimensions");
  set_view(layer, std::move(shape));
}

void plan_transpose(LayerContext& layer) {
  const schema::Shape& x = layer.floats(0, 2);
  const std::size_t a = layer.dimension("dim0", layer.integer("dim0"), x.size());
  const std::size_t b = layer.dimension("dim1", layer.integer("dim1"), x.size());
  schema::Shape shape = x;
  std::swap(shape[a], shape[b]);
  set_view(layer, std::move(shape), /*rearranged=*/a != b);
}

void plan_permute(LayerContext& layer) {
  const schema::Shape& x = layer.floats(0, 2);
  const std::vector<std::int64_t> dims = layer.list("dims");
  std::vector<std::int64_t> sorted = dims;
  std::sort(sorted.begin(), sorted.end());
  bool complete = sorted.size() == x.size() && dims.front() == 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) complete = complete && sorted[i] == static_cast<std::int64_t>(i);
  if (!complete) {
    throw layer.error_at("dims", "must list every dimension once, starting with 0 (the batch), such as [0, 2, 1]");
  }
  schema::Shape shape;
  for (const std::int64_t dim : dims) shape.push_back(x[static_cast<std::size_t>(dim)]);
  set_view(layer, std::move(shape), /*rearranged=*/dims != sorted);
}

void plan_select(LayerContext& layer) {
  const schema::Shape& x = layer.floats(0, 2);
  const std::size_t dim = layer.dimension("dim", layer.integer("dim"), x.size());
  const std::int64_t index = layer.integer("index");
  if (index >= x[dim] || index < -x[dim]) {
    throw layer.error_at("index", std::to_string(index) + " is outside dimension " + std::to_string(dim) + " of size " +
                                      std::to_string(x[dim]));
  }
  schema::Shape shape = x;
  shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(dim));
  set_view(layer, std::move(shape), /*rearranged=*/true);
}

// A part of a dimension, as torch.split returns several of.
void plan_split(LayerContext& layer) {
  const schema::Shape& x = layer.floats(0, 2);
  const std::size_t dim = layer.dimension("dim", layer.integer("dim"), x.size());
  schema::Shape sizes = layer.list("sizes");
  const auto part = static_cast<std::size_t>(layer.integer("part"));
  if (part >= sizes.size())
    throw layer.error_at("part", "there are only " + std::to_string(sizes.size()) + " parts, counted from 0");
  const std::optional<std::size_t> open = open_size(layer, sizes);
  const std::int64_t known = std::accumulate(sizes.begin(), sizes.end(), open ? std::int64_t{1} : 0);
  if (open ? known >= x[dim] : known != x[dim]) throw cannot_split(layer, dim, x[dim], sizes);
  if (open) sizes[*open] = x[dim] - known;
  layer.set_option("start",
                   std::accumulate(sizes.begin(), sizes.begin() + static_cast<std::ptrdiff_t>(part), std::int64_t{0}));
  layer.set_option("length", sizes[part]);
  schema::Shape shape = x;
  shape[dim] = sizes[part];
  set_view(layer, std::move(shape), /*rearranged=*/true);
}

void plan_roll(LayerContext& layer) {
  const schema::Shape& x = layer.floats(0, 2);
  const std::vector<std::int64_t> dims = layer.list("dims");
  const std::vector<std::int64_t> shifts = layer.list("shifts");
  if (dims.size() != shifts.size()) throw layer.error_at("shifts", "needs one number for each of dims");
  for (const std::int64_t dim : dims) static_cast<void>(layer.dimension("dims", dim, x.size()));
  layer.set_output(x);
  if (std::ranges::count(shifts, 0) == std::ssize(shifts)) layer.set_storage(Storage::view);  // returns its input
}

LayerOption dim(const char* key) {
  return {key, Kind::integer, kRequired, kFirstDim, kLastDim};
}

// Pooling over images [batch, channels, height, width].

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

// The layers that run a whole network from a user's model file.

// The plan does not know what the file contains, so it has no parameters and no counts.
void plan_model_file(LayerContext& layer) {
  schema::Shape shape = layer.list("outputs");
  shape.insert(shape.begin(), layer.input().shape.at(0));
  layer.set_output(shape);
  layer.set_differentiable();
}

}  // namespace

std::vector<LayerType> shape_layers() {
  return {
      {"flatten",
       plan_flatten,
       Saves::nothing,
       {{"start_dim", Kind::integer, 1, kFirstDim, kLastDim}, {"end_dim", Kind::integer, -1, kFirstDim, kLastDim}}},
      {"unflatten", plan_unflatten, Saves::nothing, {dim("dim"), {"sizes", Kind::integers, kRequired, -1}}},
      {"transpose", plan_transpose, Saves::nothing, {dim("dim0"), dim("dim1")}},
      {"permute", plan_permute, Saves::nothing, {{"dims", Kind::integers, kRequired, 0, kLastDim}}},
      {"split",
       plan_split,
       Saves::nothing,
       {dim("dim"), {"sizes", Kind::integers, kRequired, -1}, {"part", Kind::integer, kRequired}}},
      {"roll",
       plan_roll,
       Saves::nothing,
       {{"shifts", Kind::integers, kRequired, -static_cast<double>(kMaxSize)},
        {"dims", Kind::integers, kRequired, kFirstDim, kLastDim}}},
      {"select",
       plan_select,
       Saves::nothing,
       {dim("dim"), {"index", Kind::integer, kRequired, -static_cast<double>(kMaxSize)}}},
  };
}

std::vector<LayerType> pooling_layers() {
  return {
      {"max_pool2d",
       plan_max_pool2d,
       Saves::input,
       {{"kernel_size", Kind::pair, kRequired, 1},
        {"stride", Kind::pair, nullptr, 1},
        {"padding", Kind::pair, {0, 0}},
        {"dilation", Kind::pair, {1, 1}, 1},
        {"ceil_mode", Kind::boolean, false}}},
      {"avg_pool2d",
       plan_avg_pool2d,
       Saves::input,
       {{"kernel_size", Kind::pair, kRequired, 1},
        {"stride", Kind::pair, nullptr, 1},
        {"padding", Kind::pair, {0, 0}},
        {"ceil_mode", Kind::boolean, false},
        {"count_include_pad", Kind::boolean, true}}},
      {"adaptive_avg_pool2d", plan_adaptive_avg_pool2d, Saves::input, {{"output_size", Kind::pair, kRequired, 1}}},
  };
}

std::vector<LayerType> file_layers() {
  const std::vector<LayerOption> options{{"outputs", Kind::integers, kRequired, 1}};
  return {{schema::kScriptLayer, plan_model_file, Saves::both, options, 1, 16},
          {schema::kPackageLayer, plan_model_file, Saves::both, options, 1, 16}};
}

}  // namespace mpsbench::model
