// From an 8-bit image to the floats that a network reads: resize, crop, scale to [0, 1], normalise.
#pragma once

#include "pipeline/image_source.hpp"
#include "pipeline/random.hpp"
#include "pipeline/resize.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace mpsbench::pipeline {

struct ImageTransform {
  std::optional<std::int64_t> resize_to = {};  // height and width; none: as they are
  std::optional<std::int64_t> crop_to = {};    // height and width of the part that is kept; none: all
  bool random_crop = false;                    // else around the middle
  // Of each channel: (pixel / 255 - mean) / stddev. Both empty: not normalised.
  std::vector<float> mean = {};
  std::vector<float> stddev = {};
};

// A transform made ready for images of one shape. Shared by threads, each with a scratch of its own.
class ImagePreparation {
 public:
  struct Scratch {
    ResizeScratch resize;
    std::vector<std::uint8_t> plane;
  };

  // Throws base::Error(usage) for a crop larger than the image, and for sizes and settings that do not fit.
  ImagePreparation(ImageTransform transform, const ImageShape& source);

  [[nodiscard]] const ImageShape& output_shape() const { return output_; }

  // IMAGE into OUT, of output_shape(). RANDOM places a random crop.
  void apply(std::span<const std::uint8_t> image, SplitMix64 random, Scratch& scratch,
             std::span<float> out) const;

 private:
  [[nodiscard]] CropWindow place_crop(SplitMix64 random) const;

  ImageTransform transform_;
  ImageShape source_;
  ImageShape resized_;
  ImageShape output_;
  Resize resize_;
  std::vector<std::array<float, 256>> values_;  // of each channel: the float of each pixel value
};

}  // namespace mpsbench::pipeline
