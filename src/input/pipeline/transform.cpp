#include "input/pipeline/transform.hpp"

#include "base/error.hpp"

namespace mpsbench::pipeline {

namespace {

std::array<float, 256> values_of_pixels(float mean, float stddev) {
  std::array<float, 256> values{};
  for (std::size_t pixel = 0; pixel < values.size(); ++pixel) {
    // The order of operations is torchvision's, so that results are bit-identical.
    values[pixel] = (static_cast<float>(pixel) / 255.0F - mean) / stddev;
  }
  return values;
}

ImageShape resized_shape(const ImageTransform& transform, const ImageShape& source) {
  return {source.channels, transform.resize_to.value_or(source.height), transform.resize_to.value_or(source.width)};
}

ImageShape cropped_shape(const ImageTransform& transform, const ImageShape& resized) {
  if (!transform.crop_to) return resized;
  const std::int64_t size = *transform.crop_to;
  if (size < 1 || size > resized.height || size > resized.width) {
    throw base::usage_error("a crop of " + std::to_string(size) + "x" + std::to_string(size) +
                            " does not fit into an image of " + std::to_string(resized.height) + "x" +
                            std::to_string(resized.width));
  }
  return {resized.channels, size, size};
}

// Returns half of MARGIN. If MARGIN is odd, rounds to the even neighbour, as torchvision does.
std::int64_t middle(std::int64_t margin) {
  const std::int64_t half = margin / 2;
  return margin % 2 != 0 && half % 2 != 0 ? half + 1 : half;
}

}  // namespace

ImagePreparation::ImagePreparation(const ImageTransform& transform, const ImageShape& source)
    : transform_(transform),
      source_(source),
      resized_(resized_shape(transform_, source)),
      output_(cropped_shape(transform_, resized_)),
      resize_(source.height, source.width, resized_.height, resized_.width),
      values_(values_of_pixels(transform_.mean, transform_.stddev)) {}

CropWindow ImagePreparation::place_crop(SplitMix64 random) const {
  const std::int64_t rows = resized_.height - output_.height;
  const std::int64_t columns = resized_.width - output_.width;
  CropWindow window{middle(rows), middle(columns), output_.height, output_.width};
  if (transform_.random_crop) {
    window.top = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(rows) + 1));
    window.left = static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(columns) + 1));
  }
  return window;
}

void ImagePreparation::apply(std::span<const std::uint8_t> image, SplitMix64 random, Scratch& scratch,
                             std::span<float> out) const {
  const CropWindow window = place_crop(random);
  scratch.plane.resize(output_.plane_elements());
  float* value = out.data();
  for (; !image.empty(); image = image.subspan(source_.plane_elements())) {
    resize_.apply(image.first(source_.plane_elements()), window, scratch.resize, scratch.plane);
    for (const std::uint8_t pixel : scratch.plane) *value++ = values_[pixel];
  }
}

}  // namespace mpsbench::pipeline
