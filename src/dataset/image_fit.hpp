// How images of a data set become the inputs of a network.
#pragma once

#include "dataset/image_set.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace mpsbench::dataset {

struct ImageFit {
  std::optional<std::int64_t> resize_to;  // height and width; none: as they are
  std::optional<std::int64_t> crop_to;    // of the resized image
};

// A square WANTED larger than 64 is cropped from an image 8/7 as large, as torchvision's networks have it
// (256 to 224); another is what the image is resized to. Throws Error(usage) for other channels and for a
// WANTED that is not square.
[[nodiscard]] ImageFit fit_images(const ImageShape& have, const ImageShape& wanted);

// "cifar10" or "mnist".
[[nodiscard]] ImageSet open_images(const std::string& name, const std::filesystem::path& folder, Split split);

}  // namespace mpsbench::dataset
