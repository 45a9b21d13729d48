// Turns an 8-bit image into the floats that a network takes: resizes, crops, scales to [0, 1] and normalises.
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
  std::optional<std::int64_t> resize_to = {};  // height and width; nullopt: not resized
  std::optional<std::int64_t> crop_to = {};    // height and width of the part that is kept; nullopt: all
  bool random_crop = false;                    // otherwise the crop is at the centre
  // Per channel: (pixel / 255 - mean) / stddev. If both are empty, images are not normalised.
  std::vector<float> mean = {};
  std::vector<float> stddev = {};
};

// A transform prepared for images of one shape. Several threads may share it; each needs its own scratch.
class ImagePreparation {
 public:
  struct Scratch {
    ResizeScratch resize;
    std::vector<std::uint8_t> plane;
  };

  // Throws base::Error(usage) if the crop is larger than the image, or if sizes or settings do not fit.
  ImagePreparation(ImageTransform transform, const ImageShape& source);

  [[nodiscard]] const ImageShape& output_shape() const { return output_; }

  // Writes the prepared IMAGE to OUT, which has output_shape(). RANDOM determines the place of a random crop.
  void apply(std::span<const std::uint8_t> image, SplitMix64 random, Scratch& scratch,
             std::span<float> out) const;

 private:
  [[nodiscard]] CropWindow place_crop(SplitMix64 random) const;

  ImageTransform transform_;
  ImageShape source_;
  ImageShape resized_;
  ImageShape output_;
  Resize resize_;
  std::vector<std::array<float, 256>> values_;  // for each channel, the float of each pixel value
};

}  // namespace mpsbench::pipeline
