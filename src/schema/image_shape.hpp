// The shape of an image.
#pragma once

#include <cstddef>
#include <cstdint>

namespace mpsbench::schema {

// The layout is channels x height x width: one plane after the other, each row by row.
struct ImageShape {
  std::int64_t channels = 0;
  std::int64_t height = 0;
  std::int64_t width = 0;

  [[nodiscard]] std::size_t plane_elements() const { return static_cast<std::size_t>(height * width); }
  [[nodiscard]] std::size_t elements() const { return static_cast<std::size_t>(channels) * plane_elements(); }
  bool operator==(const ImageShape&) const = default;
};

}  // namespace mpsbench::schema
