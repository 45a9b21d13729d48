// A mixture of experts.
#pragma once

#include "nn/layers.hpp"

namespace mpsbench::nn {

[[nodiscard]] Forward make_moe(const Node& node);

}  // namespace mpsbench::nn
