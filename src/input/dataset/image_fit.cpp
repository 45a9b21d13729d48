#include "input/dataset/image_fit.hpp"

#include "base/error.hpp"
#include "input/dataset/image_files.hpp"

#include <string>

namespace mpsbench::dataset {
namespace {

constexpr std::int64_t kLargestUncropped = 64;

std::string to_string(const ImageShape& shape) {
  return std::to_string(shape.channels) + "x" + std::to_string(shape.height) + "x" + std::to_string(shape.width);
}

}  // namespace

ImageFit fit_images(const ImageShape& have, const ImageShape& wanted) {
  if (have.channels != wanted.channels || wanted.height != wanted.width) {
    throw base::usage_error("its images of " + to_string(have) + " cannot become the network's inputs of " +
                            to_string(wanted));
  }
  const std::int64_t size = wanted.height;
  if (have.height == size && have.width == size) return {};
  if (size <= kLargestUncropped) return {size, std::nullopt};
  return {size * 8 / 7, size};
}

ImageSet open_images(schema::Dataset dataset, const std::filesystem::path& folder, schema::DataPart part) {
  switch (dataset) {
    case schema::Dataset::cifar10:
      return open_cifar10(folder, part);
    case schema::Dataset::mnist:
      return open_mnist(folder, part);
    case schema::Dataset::synthetic:
    case schema::Dataset::trec:
      break;
  }
  throw base::Error(base::ErrorKind::internal, "the rows of " + to_string(dataset) + " are not images");
}

}  // namespace mpsbench::dataset
