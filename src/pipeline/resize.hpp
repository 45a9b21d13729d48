// Bilinear resize of 8-bit planes, bit-equal to PIL's Image.resize(BILINEAR): separable, along the rows
// first, in fixed point and with 8 bits between the two passes; shrinking widens the filter, so that every
// input pixel counts. (Pillow 13 takes the columns first where the height shrinks much more than the width:
// one grey level apart.)
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace mpsbench::pipeline {

// A part of a plane.
struct CropWindow {
  std::int64_t top = 0;
  std::int64_t left = 0;
  std::int64_t height = 0;
  std::int64_t width = 0;
};

// The filter along one axis: what each output position is made of.
class ResizeAxis {
 public:
  // Sizes are 1 to 16,384; throws base::Error(usage) for others.
  ResizeAxis(std::int64_t input_size, std::int64_t output_size);

  static constexpr int kWeightBits = 22;  // behind the binary point

  [[nodiscard]] std::int64_t input_size() const { return input_size_; }
  // Of every output position; behind the filter's end they are 0.
  [[nodiscard]] std::size_t weights_each() const { return weights_each_; }
  // The input position of the first weight; all of them lie inside the input.
  [[nodiscard]] const std::int64_t* firsts() const { return firsts_.data(); }
  // weights_each() for each output position.
  [[nodiscard]] const std::int32_t* weights() const { return weights_.data(); }

 private:
  std::int64_t input_size_;
  std::size_t weights_each_ = 1;
  std::vector<std::int64_t> firsts_;
  std::vector<std::int32_t> weights_;
};

// A thread's working memory, kept from image to image.
struct ResizeScratch {
  std::vector<std::uint8_t> rows;          // input rows after the pass along them
  std::vector<std::int32_t> sums;          // of one output row
  std::vector<std::uint16_t> narrow_sums;  // the same where 16 bits do
};

class Resize {
 public:
  // Throws as ResizeAxis.
  Resize(std::int64_t input_height, std::int64_t input_width, std::int64_t output_height,
         std::int64_t output_width);

  // WINDOW of the resized PLANE into OUT, row by row. Only what the window needs is computed.
  void apply(std::span<const std::uint8_t> plane, const CropWindow& window, ResizeScratch& scratch,
             std::span<std::uint8_t> out) const;

 private:
  ResizeAxis rows_;
  ResizeAxis columns_;
};

}  // namespace mpsbench::pipeline
