// The layers of attention that need more than one operation.
#pragma once

#include "nn/layers.hpp"

namespace mpsbench::nn {

// scaled_dot_product_attention: [batch, heads, length, size]. Keys and values may have fewer heads, which queries
// share.
[[nodiscard]] Forward make_attention(const Node& node);

// rope: turns pairs of the last dimension by angles that grow with the position (Su et al. 2021, arXiv:2104.09864). A
// pair is a number of the first half and the one at the same place of the second half, as in transformers.
[[nodiscard]] Forward make_rope(const Node& node);

// Biases [1, heads, queries, keys] of the scores, from a table [rows, heads]: T5's (Raffel et al. 2020,
// arXiv:1910.10683) and Swin's (Liu et al. 2021, arXiv:2103.14030).
[[nodiscard]] Forward make_relative_position_bias(const Node& node);
[[nodiscard]] Forward make_window_position_bias(const Node& node);

}  // namespace mpsbench::nn
