#include "suite/input_shape.hpp"

#include "base/units.hpp"
#include "model/layer_type.hpp"

#include <algorithm>

namespace mpsbench::suite {
namespace {

constexpr std::size_t kMostDimensions = 6;

std::optional<std::int64_t> size_of(const std::string& text) {
  const auto size = base::parse_whole_number(text);
  return size && *size >= 1 && *size <= model::kMaxSize ? size : std::nullopt;
}

}  // namespace

std::optional<InputShape> parse_input_shape(const std::string& text) {
  InputShape shape;
  const std::size_t colon = text.find(':');
  if (colon != std::string::npos) {
    shape.high = size_of(text.substr(colon + 1));
    if (!shape.high) return std::nullopt;
  }
  const std::string sizes = text.substr(0, colon);
  for (std::size_t begin = 0; begin <= sizes.size();) {
    const std::size_t end = std::min(sizes.find('x', begin), sizes.size());
    const auto size = size_of(sizes.substr(begin, end - begin));
    if (!size || shape.sizes.size() == kMostDimensions) return std::nullopt;
    shape.sizes.push_back(*size);
    begin = end + 1;
  }
  return shape;
}

std::string to_string(const InputShape& shape) {
  std::string text;
  for (const std::int64_t size : shape.sizes) text += (text.empty() ? "" : "x") + std::to_string(size);
  return text + (shape.high ? ":" + std::to_string(*shape.high) : "");
}

}  // namespace mpsbench::suite
