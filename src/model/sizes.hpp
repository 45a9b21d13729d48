// Arithmetic on shapes that detects numbers out of range.
#pragma once

#include "schema/network_plan.hpp"

#include <cstdint>
#include <optional>
#include <utility>

namespace mpsbench::model {

// More elements than any machine can hold (4 TiB in fp32). A typo in a size is refused before it costs memory.
constexpr std::int64_t kMaxElements = std::int64_t{1} << 40;
// Low enough that the FLOP of forward and backward passes fit in 64 bits.
constexpr std::int64_t kMaxMacs = std::int64_t{1} << 59;

// Return nullopt if the result is above LIMIT. A and B must not be negative.
[[nodiscard]] std::optional<std::int64_t> product(std::int64_t a, std::int64_t b, std::int64_t limit = kMaxMacs);
[[nodiscard]] std::optional<std::int64_t> sum(std::int64_t a, std::int64_t b, std::int64_t limit = kMaxMacs);

// Returns nullopt if the number of elements is above kMaxElements.
[[nodiscard]] std::optional<std::int64_t> elements(const schema::Shape& shape);

// Returns the shape of a + b, or nullopt if the shapes cannot be combined.
[[nodiscard]] std::optional<schema::Shape> broadcast(const schema::Shape& a, const schema::Shape& b);

using Pair = std::pair<std::int64_t, std::int64_t>;  // height, width

// window_output() returns how many positions a sliding window has in an input of SIZE. Below 1 means that the
// window does not fit.
struct SlidingWindow {
  std::int64_t kernel;
  std::int64_t stride;
  std::int64_t padding;
  std::int64_t dilation = 1;
  bool ceil_mode = false;
};
[[nodiscard]] std::int64_t window_output(std::int64_t size, const SlidingWindow& window);

}  // namespace mpsbench::model
