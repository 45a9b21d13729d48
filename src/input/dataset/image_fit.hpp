// How the images of a data set are made to fit the inputs of a network.
#pragma once

#include "input/dataset/image_set.hpp"
#include "schema/data_source.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>

namespace mpsbench::dataset {

struct ImageFit {
  std::optional<std::int64_t> resize_to;  // height and width; nullopt: not resized
  // Height and width of the part that is cut out of the resized image. Nullopt if the image is not cropped.
  std::optional<std::int64_t> crop_to;
};

// If WANTED is a square larger than 64, the image is resized to 8/7 of it and then cropped, as for
// torchvision's networks (256 to 224). If WANTED is a square of at most 64, the image is only resized. Throws
// Error(usage) if the numbers of channels differ, or if WANTED is not square.
[[nodiscard]] ImageFit fit_images(const ImageShape& have, const ImageShape& wanted);

// Returns the images of PART's files. DATASET must be one of images.
[[nodiscard]] ImageSet open_images(schema::Dataset dataset, const std::filesystem::path& folder, schema::DataPart part);

}  // namespace mpsbench::dataset
