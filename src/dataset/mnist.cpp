#include "dataset/mnist.hpp"

#include "dataset/data_file.hpp"
#include "dataset/idx.hpp"

#include <algorithm>
#include <optional>
#include <string>

namespace mpsbench::dataset {
namespace {

using schema::Dataset;

constexpr std::int64_t kSide = 28;
constexpr std::int64_t kLabels = row_of(Dataset::mnist).classes;

std::optional<std::filesystem::path> find_idx(const std::filesystem::path& folder, const std::string& stem,
                                              const std::string& ending) {
  return find_file(folder, {stem + "-" + ending, stem + "." + ending});
}

void check_labels(const std::filesystem::path& file, std::span<const std::uint8_t> labels) {
  const auto wrong =
      std::find_if(labels.begin(), labels.end(), [](std::uint8_t label) { return label >= kLabels; });
  if (wrong != labels.end()) {
    throw damaged(file, "label " + std::to_string(*wrong) + " in row " +
                            std::to_string(wrong - labels.begin()) + " (from 0) is not 0 to 9");
  }
}

}  // namespace

ImageSet open_mnist(const std::filesystem::path& folder, schema::DataPart part) {
  require_folder(folder, Dataset::mnist);
  const std::string stem = part == schema::DataPart::test ? "t10k" : "train";
  for (const std::filesystem::path& place : {folder, folder / "MNIST" / "raw"}) {
    const auto image_file = find_idx(place, stem + "-images", "idx3-ubyte");
    const auto label_file = find_idx(place, stem + "-labels", "idx1-ubyte");
    if (!image_file && !label_file) continue;
    if (!image_file || !label_file) {
      const std::string absent = stem + (image_file ? "-labels-idx1-ubyte" : "-images-idx3-ubyte");
      const std::string present = (image_file ? image_file : label_file).value().filename().string();
      throw missing(place, present + " is here, but " + absent + " is not", Dataset::mnist);
    }
    const IdxData images = read_idx(image_file.value(), 3);
    const IdxData labels = read_idx(label_file.value(), 1);
    if (images.sizes[1] != kSide || images.sizes[2] != kSide) {
      throw damaged(*image_file, "has images of " + std::to_string(images.sizes[1]) + " x " +
                                     std::to_string(images.sizes[2]) + ", not 28 x 28");
    }
    if (images.sizes[0] != labels.sizes[0]) {
      throw damaged(*label_file, "has " + std::to_string(labels.sizes[0]) + " labels for the " +
                                     std::to_string(images.sizes[0]) + " images of " +
                                     image_file->filename().string());
    }
    check_labels(*label_file, labels.values.view);
    return {{1, kSide, kSide},
            kLabels,
            {{images.sizes[0], images.values, kSide * kSide, labels.values, 1}},
            {*image_file, *label_file}};
  }
  throw missing(folder, "no " + stem + "-images-idx3-ubyte here", Dataset::mnist);
}

}  // namespace mpsbench::dataset
