#include "nn/attention.hpp"

#include <ATen/ATen.h>
#include <ATen/autocast_mode.h>
#include <c10/core/InferenceMode.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <tuple>
#include <utility>

namespace mpsbench::nn {

namespace {

// Tensors that depend on lengths and options alone. All layers of a network share them, and a worker runs one network.
// A step that trains may need them after an inference, so they are never inference tensors.
template <typename Key, typename Value, typename Make>
const Value& made_once(std::map<Key, Value>& made, const Key& key, const Make& make) {
  auto found = made.find(key);
  if (found != made.end()) return found->second;
  const c10::InferenceMode off(false);
  return made.emplace(key, make()).first->second;
}

// True where a query attends to a key: to those less than WINDOW away, if IS_CAUSAL not to later ones. The queries are
// at the last of KEYS positions.
at::Tensor window_mask(const at::Tensor& query, std::int64_t keys, std::int64_t window, bool is_causal) {
  using Key = std::tuple<std::string, std::int64_t, std::int64_t, std::int64_t, bool>;
  static std::map<Key, at::Tensor> made;
  const std::int64_t length = query.size(2);
  // A long text that is read in pieces would leave many.
  std::erase_if(made, [&](const auto& one) { return std::get<2>(one.first) != keys; });
  return made_once(made, Key{query.device().str(), length, keys, window, is_causal}, [&] {
    const at::Tensor positions = at::arange(keys, at::device(query.device()).dtype(at::kLong));
    const at::Tensor distance = positions.narrow(0, keys - length, length).unsqueeze(1) - positions;
    return at::logical_and(distance < window, is_causal ? distance >= 0 : distance > -window);
  });
}

// CUDA's kernels for fp32 or with a mask have no shared heads, and LibTorch would take a slow one in silence. MPS's
// have none at all.
bool must_repeat(const at::Tensor& query, bool has_mask) {
  if (query.is_cpu()) return false;
  const bool is_fp32 = query.scalar_type() == at::kFloat && !at::autocast::is_autocast_enabled(query.device().type());
  return !query.is_cuda() || has_mask || is_fp32;
}

at::Tensor repeated(const at::Tensor& heads, std::int64_t times) {
  return heads.unsqueeze(2).expand({-1, -1, times, -1, -1}).flatten(1, 2);
}

// A bias of the scores must have their type, which autocast chooses.
std::optional<at::Tensor> mask_for(const at::Tensor& query, const at::Tensor& mask) {
  if (!mask.defined()) return std::nullopt;
  return mask.scalar_type() == at::kBool ? mask : mask.to(query.scalar_type());
}

struct AttentionOptions {
  double dropout = 0;
  bool is_causal = false;
  std::int64_t window = 0;  // 0: no limit
  std::optional<double> scale;
};

at::Tensor attend(const at::Tensor& query, at::Tensor key, at::Tensor value, const std::optional<at::Tensor>& mask,
                  const AttentionOptions& options) {
  const std::int64_t sharing = query.size(1) / key.size(1);
  const bool repeats = sharing > 1 && must_repeat(query, mask.has_value());
  if (repeats) {
    key = repeated(key, sharing);
    value = repeated(value, sharing);
  }
  return at::scaled_dot_product_attention(query, key, value, mask, options.dropout,
                                          options.is_causal && options.window == 0, options.scale,
                                          /*enable_gqa=*/sharing > 1 && !repeats);
}

// The cosines of the angles, twice in a row, [length, size], and their sines, [length, half of the size].
using Tables = std::pair<at::Tensor, at::Tensor>;

struct RopeOptions {
  std::int64_t size = 0;
  double theta = 0;
  // Empty, or factor, low and high frequency factor and the original length of Llama 3.1 and later.
  std::vector<double> llama3;
};

// Stretches long waves, as Llama 3.1 does for long texts.
at::Tensor stretched(const at::Tensor& frequencies, const std::vector<double>& llama3) {
  const double factor = llama3[0];
  const double low = llama3[1];
  const double high = llama3[2];
  const double original = llama3[3];
  const at::Tensor waves = 2 * std::numbers::pi / frequencies;
  const at::Tensor share = (original / waves - low) / (high - low);
  const at::Tensor between = (1 - share) * frequencies / factor + share * frequencies;
  return at::where(waves > original / low, frequencies / factor,
                   at::where(waves < original / high, frequencies, between));
}

// On the CPU and in fp32, so that all devices turn by the same angles.
Tables make_tables(std::int64_t length, const RopeOptions& options) {
  const at::Tensor exponents = at::arange(0, options.size, 2, at::kLong).to(at::kFloat) / options.size;
  at::Tensor frequencies = 1 / at::pow(options.theta, exponents);
  if (!options.llama3.empty()) frequencies = stretched(frequencies, options.llama3);
  const at::Tensor angles = at::arange(length, at::kFloat).unsqueeze(1) * frequencies;
  return {angles.cos().repeat({1, 2}), angles.sin()};
}

// Of LENGTH positions.
const Tables& tables_for(const at::Tensor& x, std::int64_t length, const RopeOptions& options) {
  using Key = std::tuple<std::string, std::int64_t, std::int64_t, double, std::vector<double>>;
  static std::map<Key, Tables> made;
  const Key key{x.device().str(), length, options.size, options.theta, options.llama3};
  return made_once(made, key, [&] {
    const auto [cosines, sines] = make_tables(length, options);
    return Tables{cosines.to(x.device()), sines.to(x.device())};
  });
}

// Turns back if SIGN is -1. What is behind both halves stays.
at::Tensor turned(const at::Tensor& x, const Tables& tables, double sign) {
  const auto& [cosines, sines] = tables;
  const std::int64_t half = sines.size(-1);
  at::Tensor y = at::empty_like(x);  // with the strides of heads that were transposed
  at::Tensor both = y.narrow(-1, 0, 2 * half);
  at::mul_out(both, x.narrow(-1, 0, 2 * half), cosines);
  both.narrow(-1, 0, half).addcmul_(x.narrow(-1, half, half), sines, -sign);
  both.narrow(-1, half, half).addcmul_(x.narrow(-1, 0, half), sines, sign);
  if (const std::int64_t rest = x.size(-1) - 2 * half; rest > 0)
    y.narrow(-1, 2 * half, rest).copy_(x.narrow(-1, 2 * half, rest));
  return y;
}

// Keeps nothing but the tables for its backward pass, which turns back.
struct Turn : torch::autograd::Function<Turn> {
  static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& x, const at::Tensor& cosines,
                            const at::Tensor& sines) {
    context->save_for_backward({cosines, sines});
    return turned(x, {cosines, sines}, 1);
  }
  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 const torch::autograd::variable_list& gradients) {
    const torch::autograd::variable_list saved = context->get_saved_variables();
    return {turned(gradients[0], {saved[0], saved[1]}, -1), at::Tensor(), at::Tensor()};
  }
};

// The rows of a table that pairs of a query and a key read, [length, length].

// T5's: half of the rows for exact distances, the others for ranges whose ends grow by one factor up to MAX_DISTANCE,
// which the last one exceeds. If IS_CAUSAL, all rows are for keys before the query; otherwise half of them.
at::Tensor rows_of_distances(std::int64_t length, std::int64_t rows, std::int64_t max_distance, bool is_causal) {
  const at::Tensor positions = at::arange(length, at::kLong);
  const at::Tensor ahead = positions - positions.unsqueeze(1);
  const std::int64_t each = is_causal ? rows : rows / 2;
  const std::int64_t exact = each / 2;
  const at::Tensor distance = is_causal ? ahead.neg().clamp_min(0) : ahead.abs();
  const double growth = std::log(static_cast<double>(max_distance) / static_cast<double>(exact));
  const at::Tensor range = (distance.to(at::kFloat) / exact).log() / growth * (each - exact);
  const at::Tensor far = (exact + range.to(at::kLong)).clamp_max(each - 1);
  const at::Tensor row = at::where(distance < exact, distance, far);
  return is_causal ? row : row + (ahead > 0) * each;
}

// Swin's: one row for each vertical and horizontal distance.
at::Tensor rows_of_window(std::int64_t height, std::int64_t width) {
  const at::Tensor places = at::arange(height * width, at::kLong);
  const at::Tensor y = at::div(places, width, "floor");
  const at::Tensor x = places - y * width;
  return (y.unsqueeze(1) - y + height - 1) * (2 * width - 1) + x.unsqueeze(1) - x + width - 1;
}

// [windows, 1, positions, positions]: far below 0 for a pair that a shift brought together, otherwise 0. SIZES has the
// windows' numbers and sizes, down and across.
at::Tensor seams(at::IntArrayRef sizes, const std::vector<std::int64_t>& shift) {
  constexpr double kApart = -100;  // as in torchvision
  const auto behind = [&](std::size_t side) {
    const std::int64_t length = sizes[side] * sizes[side + 2];
    return (at::arange(length, at::kLong) >= length - shift[side]).view({sizes[side], sizes[side + 2]});
  };
  const at::Tensor down = behind(0).view({sizes[0], 1, sizes[2], 1});
  const at::Tensor across = behind(1).view({1, sizes[1], 1, sizes[3]});
  const at::Tensor part = (2 * down + across).flatten(2).flatten(0, 1);
  return (part.unsqueeze(1) != part.unsqueeze(2)).to(at::kFloat).mul(kApart).unsqueeze(1);
}

// [heads, queries, keys]
at::Tensor biases(const at::Tensor& table, const at::Tensor& rows) {
  return at::embedding(table, rows).permute({2, 0, 1}).contiguous();
}

// Causal attention of QUERY to the positions of a cache, of which its own are the last.
at::Tensor attend_to_read(const at::Tensor& query, const at::Tensor& keys, const at::Tensor& values,
                          AttentionOptions options) {
  const std::int64_t length = query.size(2);
  const std::int64_t count = keys.size(2);
  options.is_causal = false;  // LibTorch would align the first query with the first key
  if (length > 1) {
    const std::int64_t window = options.window > 0 ? options.window : count;
    return attend(query, keys, values, window_mask(query, count, window, /*is_causal=*/true), options);
  }
  const std::int64_t seen = options.window > 0 ? std::min(options.window, count) : count;
  return attend(query, keys.narrow(2, count - seen, seen), values.narrow(2, count - seen, seen), std::nullopt, options);
}

// Causal attention of one QUERY to all positions of a cache, of which BIAS hides those that it does not see. Heads that
// share keys are queries of one head. These heads are too few for CUDA's kernels of attention, which give each to one
// multiprocessor; products of matrices use all of them.
at::Tensor attend_to_all(const at::Tensor& query, const Cache::Entry& all, const at::Tensor& bias,
                         AttentionOptions options) {
  options.is_causal = false;
  const std::int64_t heads = all.keys.size(0) * all.keys.size(1);
  const std::int64_t sharing = query.size(1) / all.keys.size(1);
  if (sharing == 1) {
    const at::Tensor mask = bias.expand({query.size(0), query.size(1), 1, -1});
    return attend(query, all.keys, all.values, mask, options);
  }
  const double scale = options.scale.value_or(1 / std::sqrt(static_cast<double>(query.size(3))));
  const at::Tensor shared = query.reshape({heads, sharing, query.size(3)});
  const at::Tensor scores =
      at::baddbmm(bias.expand({heads, sharing, -1}), shared, all.keys.flatten(0, 1).transpose(1, 2), /*beta=*/1, scale);
  return at::bmm(scores.softmax(-1), all.values.flatten(0, 1)).reshape({query.size(0), query.size(1), 1, -1});
}

// Writes the keys and values of the inputs IN at their positions.
void write(const Inputs& in, const Cache& cache, const Cache::Entry& all) {
  const std::int64_t length = in[1].size(2);
  if (cache.is_at_place(length)) {
    all.keys.index_copy_(2, cache.place(), in[1].to(all.keys.scalar_type()));
    all.values.index_copy_(2, cache.place(), in[2].to(all.values.scalar_type()));
  } else {
    all.keys.narrow(2, cache.position(), length).copy_(in[1]);
    all.values.narrow(2, cache.position(), length).copy_(in[2]);
  }
}

at::Tensor attend_to_cache(const at::Tensor& query, Cache& cache, const Cache::Entry& all,
                           const AttentionOptions& options) {
  if (cache.is_at_place(query.size(2))) return attend_to_all(query, all, cache.bias(options.window), options);
  const std::int64_t read = cache.position() + query.size(2);
  return attend_to_read(query, all.keys.narrow(2, 0, read), all.values.narrow(2, 0, read), options);
}

}  // namespace

Forward make_relative_position_bias(const Node& node) {
  return [max_distance = node.integer("max_distance"), is_causal = node.flag("is_causal"), rows = at::Tensor(),
          later = at::Tensor()](const Inputs& in) mutable {
    const std::int64_t length = in[1].size(1);
    if (!rows.defined() || rows.size(0) != length) {
      rows = rows_of_distances(length, in[0].size(0), max_distance, is_causal).to(in[0].device());
      later = at::ones({length, length}, rows.options().dtype(at::kBool)).triu(1);
    }
    at::Tensor bias = biases(in[0], rows);
    if (is_causal) bias = bias.masked_fill(later, -std::numeric_limits<double>::infinity());
    return bias.unsqueeze(0);
  };
}

Forward make_window_position_bias(const Node& node) {
  return [shift = node.integers("shift"), rows = at::Tensor(), seam = at::Tensor()](const Inputs& in) mutable {
    if (!rows.defined()) {
      const at::IntArrayRef sizes = in[1].sizes().slice(1, 4);
      rows = rows_of_window(sizes[2], sizes[3]).to(in[0].device());
      seam = seams(sizes, shift).to(in[0].device());
    }
    return (biases(in[0], rows) + seam).flatten(0, 1).unsqueeze(0);
  };
}

Forward make_attention(const Node& node) {
  const AttentionOptions options{.dropout = node.drops_out() ? node.number("dropout_p") : 0,
                                 .is_causal = node.flag("is_causal"),
                                 .window = node.integer("window"),
                                 .scale = node.optional_number("scale")};
  return [options, window = at::Tensor(), cache = node.cache(), name = node.plan().name](const Inputs& in) mutable {
    if (cache != nullptr) {
      const Cache::Entry& all = cache->of_layer(name);
      write(in, *cache, all);
      if (cache->position() > 0 || in[0].size(2) == 1) return attend_to_cache(in[0], *cache, all, options);
    }
    std::optional<at::Tensor> mask = in.size() > 3 ? mask_for(in[0], in[3]) : std::nullopt;
    if (options.window > 0) {
      if (!window.defined() || window.size(0) != in[0].size(2))
        window = window_mask(in[0], in[0].size(2), options.window, options.is_causal);
      mask = window;
    }
    // If nothing needs gradients, as in a frozen backbone, LibTorch uses MPS's own kernel, which has no
    // dropout. Up to 2.12 it silently leaves dropout out; from 2.13 on it throws an error.
    const bool frozen = !in[0].requires_grad() && !in[1].requires_grad() && !in[2].requires_grad();
    if (options.dropout > 0 && in[0].is_mps() && frozen)
      return attend(in[0].detach().requires_grad_(), in[1], in[2], mask, options).detach();
    return attend(in[0], in[1], in[2], mask, options);
  };
}

Forward make_rope(const Node& node) {
  const RopeOptions options{node.integer("size"), node.number("theta"), node.option<std::vector<double>>("llama3")};
  if (Cache* cache = node.cache(); cache != nullptr) {
    return [options, cache, tables = Tables()](const Inputs& in) mutable {
      if (!tables.first.defined()) tables = tables_for(in[0], cache->capacity(), options);
      const std::int64_t length = in[0].size(2);
      const auto rows = [&](const at::Tensor& all) {
        return cache->is_at_place(length) ? cache->row_at_place(all) : all.narrow(0, cache->position(), length);
      };
      return turned(in[0], {rows(tables.first), rows(tables.second)}, 1);
    };
  }
  return [options, tables = Tables()](const Inputs& in) mutable {
    const std::int64_t length = in[0].size(2);
    if (!tables.first.defined() || tables.first.size(0) != length) tables = tables_for(in[0], length, options);
    return in[0].requires_grad() ? Turn::apply(in[0], tables.first, tables.second) : turned(in[0], tables, 1);
  };
}

}  // namespace mpsbench::nn
