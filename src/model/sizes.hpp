// Arithmetic on shapes that notices when a number leaves its range.
#pragma once

#include "schema/network_plan.hpp"

#include <cstdint>
#include <optional>
#include <utility>

namespace mpsbench::model {

// More elements than any machine can hold (fp32: 4 TiB), so a slip of the fingers is refused before it costs
// memory.
constexpr std::int64_t kMaxElements = std::int64_t{1} << 40;
// Leaves room for forward and backward passes in FLOP.
constexpr std::int64_t kMaxMacs = std::int64_t{1} << 59;

// nullopt: the result is above LIMIT. A and B must not be negative.
[[nodiscard]] std::optional<std::int64_t> product(std::int64_t a, std::int64_t b,
                                                  std::int64_t limit = kMaxMacs);
[[nodiscard]] std::optional<std::int64_t> sum(std::int64_t a, std::int64_t b, std::int64_t limit = kMaxMacs);

// nullopt: above kMaxElements.
[[nodiscard]] std::optional<std::int64_t> elements(const schema::Shape& shape);

// The shape of a + b; nullopt: they do not go together.
[[nodiscard]] std::optional<schema::Shape> broadcast(const schema::Shape& a, const schema::Shape& b);

using Pair = std::pair<std::int64_t, std::int64_t>;  // height, width

// Output size of a window that slides over SIZE; below 1: the window does not fit.
struct SlidingWindow {
  std::int64_t kernel;
  std::int64_t stride;
  std::int64_t padding;
  std::int64_t dilation = 1;
  bool ceil_mode = false;
};
[[nodiscard]] std::int64_t window_output(std::int64_t size, const SlidingWindow& window);

}  // namespace mpsbench::model
