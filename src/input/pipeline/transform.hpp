// Turns an 8-bit image into the floats that a network takes: resizes, crops, scales to [0, 1] and normalises.
#pragma once

#include "base/interface.hpp"
#include "input/pipeline/order.hpp"
#include "input/pipeline/resize.hpp"
#include "schema/data_source.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mpsbench::pipeline {

using schema::ImageShape;

// The source of the images in a batch, which are labelled and of one size. Several threads call image() and label() at
// the same time; both may throw.
class ImageSource : public base::Interface {
 public:
  // Returns the name of the file or folder, for messages.
  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual std::int64_t rows() const = 0;
  [[nodiscard]] virtual ImageShape shape() const = 0;
  // Returns channels x height x width bytes. They stay valid at least until the next call from the same
  // thread.
  [[nodiscard]] virtual std::span<const std::uint8_t> image(std::int64_t row) const = 0;
  [[nodiscard]] virtual std::int64_t label(std::int64_t row) const = 0;
};

struct ImageTransform {
  std::optional<std::int64_t> resize_to = {};  // height and width; nullopt: not resized
  std::optional<std::int64_t> crop_to = {};    // height and width of the part that is kept; nullopt: all
  bool random_crop = false;                    // otherwise the crop is at the centre
  // Of all channels: (pixel / 255 - mean) / stddev.
  float mean = 0;
  float stddev = 1;
};

// A transform prepared for images of one shape. Several threads may share it; each needs its own scratch.
class ImagePreparation {
 public:
  struct Scratch {
    ResizeScratch resize;
    std::vector<std::uint8_t> plane;
  };

  // Throws base::Error(usage) if the crop is larger than the image, or if sizes do not fit.
  ImagePreparation(const ImageTransform& transform, const ImageShape& source);

  [[nodiscard]] const ImageShape& output_shape() const { return output_; }

  // Writes the prepared IMAGE to OUT, which has output_shape(). RANDOM determines the place of a random crop.
  void apply(std::span<const std::uint8_t> image, SplitMix64 random, Scratch& scratch, std::span<float> out) const;

 private:
  [[nodiscard]] CropWindow place_crop(SplitMix64 random) const;

  ImageTransform transform_;
  ImageShape source_;
  ImageShape resized_;
  ImageShape output_;
  Resize resize_;
  std::array<float, 256> values_;  // the float of each pixel value
};

}  // namespace mpsbench::pipeline
