#include "model/sizes.hpp"

#include <algorithm>

namespace mpsbench::model {

std::optional<std::int64_t> product(std::int64_t a, std::int64_t b, std::int64_t limit) {
  if (a != 0 && b > limit / a) return std::nullopt;
  return a * b;
}

std::optional<std::int64_t> sum(std::int64_t a, std::int64_t b, std::int64_t limit) {
  if (a > limit || b > limit - a) return std::nullopt;
  return a + b;
}

std::optional<std::int64_t> elements(const schema::Shape& shape) {
  std::optional<std::int64_t> count = 1;
  for (const std::int64_t size : shape) {
    count = product(*count, size, kMaxElements);
    if (!count) break;
  }
  return count;
}

std::optional<schema::Shape> broadcast(const schema::Shape& a, const schema::Shape& b) {
  const std::size_t rank = std::max(a.size(), b.size());
  schema::Shape shape(rank);
  for (std::size_t i = 0; i < rank; ++i) {
    const std::int64_t x = i < rank - a.size() ? 1 : a[i - (rank - a.size())];
    const std::int64_t y = i < rank - b.size() ? 1 : b[i - (rank - b.size())];
    if (x != y && x != 1 && y != 1) return std::nullopt;
    shape[i] = x == 1 ? y : x;
  }
  return shape;
}

std::int64_t window_output(std::int64_t size, const SlidingWindow& window) {
  // Every operand is below 2^31, so nothing can overflow 64 bits.
  const std::int64_t room = size + 2 * window.padding - window.dilation * (window.kernel - 1) - 1;
  if (room < 0) return 0;
  if (!window.ceil_mode) return room / window.stride + 1;
  std::int64_t count = (room + window.stride - 1) / window.stride + 1;
  // As in PyTorch, the last window must start inside the input or its left padding.
  if ((count - 1) * window.stride >= size + window.padding) --count;
  return count;
}

}  // namespace mpsbench::model
