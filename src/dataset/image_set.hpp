// The images of a data set, as bytes, with their labels.
#pragma once

#include "dataset/shared_bytes.hpp"
#include "schema/image_shape.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace mpsbench::dataset {

using schema::ImageShape;

// Rows of one file, or of one file of images and one of labels.
struct ImagePart {
  std::int64_t rows = 0;
  SharedBytes images;  // from the first image on
  std::size_t image_stride = 0;
  SharedBytes labels;  // from the first label on
  std::size_t label_stride = 0;
};

// Images of the training files or of the test files, bytes in memory (mapped where the file is plain), rows
// in file order. Copies share them.
class ImageSet {
 public:
  // The parts must hold the rows that they claim and labels below CLASSES: those who read the files check it.
  // FILES: where they come from.
  ImageSet(ImageShape shape, std::int64_t classes, std::vector<ImagePart> parts,
           std::vector<std::filesystem::path> files = {});

  [[nodiscard]] std::int64_t rows() const { return first_rows_.back(); }
  [[nodiscard]] std::int64_t channels() const { return shape_.channels; }
  [[nodiscard]] std::int64_t height() const { return shape_.height; }
  [[nodiscard]] std::int64_t width() const { return shape_.width; }
  [[nodiscard]] std::int64_t classes() const { return classes_; }
  [[nodiscard]] const std::vector<std::filesystem::path>& files() const { return files_; }
  // channels x height x width. Throws std::out_of_range, as label() does, for a row that is not there.
  [[nodiscard]] std::span<const std::uint8_t> image(std::int64_t row) const;
  [[nodiscard]] std::int64_t label(std::int64_t row) const;  // 0 to classes() - 1

 private:
  struct RowPlace {
    const ImagePart& part;
    std::size_t index;
  };
  [[nodiscard]] RowPlace place_of(std::int64_t row) const;

  ImageShape shape_;
  std::int64_t classes_;
  std::vector<ImagePart> parts_;
  std::vector<std::filesystem::path> files_;
  std::vector<std::int64_t> first_rows_;  // of each part, then the number of all rows
};

}  // namespace mpsbench::dataset
