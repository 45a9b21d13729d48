// Bilinear resizing of 8-bit planes, bit-identical to PIL's Image.resize(BILINEAR). It is separable and
// resizes along the rows first, in fixed point, with 8 bits between the two passes. When an image shrinks,
// the filter widens, so that every input pixel counts. (Pillow 13 resizes along the columns first if the
// height shrinks much more than the width; results then differ by one grey level.)
#pragma once

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

// The filter along one axis: the inputs and weights of each output position.
class ResizeAxis {
 public:
  // Sizes may be 1 to 16,384. Throws base::Error(usage) for others.
  ResizeAxis(std::int64_t input_size, std::int64_t output_size);

  static constexpr int kWeightBits = 22;  // binary places

  [[nodiscard]] std::int64_t input_size() const { return input_size_; }
  // Returns the number of weights stored for every output position. Unused ones at the end are 0.
  [[nodiscard]] std::size_t weights_each() const { return weights_each_; }
  // Returns for each output position the input position of the first weight. All positions are inside the
  // input.
  [[nodiscard]] const std::int64_t* firsts() const { return firsts_.data(); }
  // Returns weights_each() weights for each output position.
  [[nodiscard]] const std::int32_t* weights() const { return weights_.data(); }

 private:
  std::int64_t input_size_;
  std::size_t weights_each_ = 1;
  std::vector<std::int64_t> firsts_;
  std::vector<std::int32_t> weights_;
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
