// Bilinear resizing of 8-bit planes, bit-identical to PIL's Image.resize(BILINEAR). It is separable and
// resizes along the rows first, in fixed point, with 8 bits between the two passes. When an image shrinks,
// the filter widens, so that every input pixel counts. (Pillow 13 resizes along the columns first if the
// height shrinks much more than the width; results then differ by one grey level.)
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace mpsbench::pipeline {

// A rectangle of a plane.
struct CropWindow {
  std::int64_t top = 0;
  std::int64_t left = 0;
  std::int64_t height = 0;
  std::int64_t width = 0;
};

// The filter along one axis.
struct ResizeAxis {
  // Sizes may be 1 to 16,384. Throws base::Error(usage) for others.
  ResizeAxis(std::int64_t inputs, std::int64_t outputs);

  static constexpr int kWeightBits = 22;  // binary places

  std::int64_t input_size;
  std::size_t weights_each = 1;       // of every output position; unused ones at the end are 0
  std::vector<std::int64_t> firsts;   // for each output position, the input position of the first weight
  std::vector<std::int32_t> weights;  // weights_each for each output position
};

// Working memory of one thread, reused for every image.
struct ResizeScratch {
  std::vector<std::uint8_t> rows;          // input rows after the first pass
  std::vector<std::int32_t> sums;          // of one output row
  std::vector<std::uint16_t> narrow_sums;  // the same if 16 bits are enough
};

class Resize {
 public:
  // Throws the errors of ResizeAxis.
  Resize(std::int64_t input_height, std::int64_t input_width, std::int64_t output_height, std::int64_t output_width);

  // Writes WINDOW of the resized PLANE to OUT, row by row. Computes only what the window needs.
  void apply(std::span<const std::uint8_t> plane, const CropWindow& window, ResizeScratch& scratch,
             std::span<std::uint8_t> out) const;

 private:
  ResizeAxis rows_;
  ResizeAxis columns_;
};

}  // namespace mpsbench::pipeline
