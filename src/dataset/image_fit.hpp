// How images of a data set become the inputs of a network.
#pragma once

#include "dataset/image_set.hpp"
#include "schema/data_part.hpp"
#include "schema/data_source.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>

namespace mpsbench::dataset {

struct ImageFit {
  std::optional<std::int64_t> resize_to;  // height and width; none: as they are
  std::optional<std::int64_t> crop_to;    // of the resized image
};

// A square WANTED larger than 64 is cropped from an image 8/7 as large, as torchvision's networks have it
// (256 to 224); another is what the image is resized to. Throws Error(usage) for other channels and for a
// WANTED that is not square.
[[nodiscard]] ImageFit fit_images(const ImageShape& have, const ImageShape& wanted);

// Those of PART's files. DATASET must be of images.
[[nodiscard]] ImageSet open_images(schema::Dataset dataset, const std::filesystem::path& folder,
                                   schema::DataPart part);

}  // namespace mpsbench::dataset
