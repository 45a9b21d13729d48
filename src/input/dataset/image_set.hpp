// The images of a data set, as bytes, with their labels.
#pragma once

#include "input/dataset/data_file.hpp"
#include "schema/data_source.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace mpsbench::dataset {

using schema::ImageShape;

// Rows from one file, or from a file of images and a file of labels.
struct ImagePart {
  std::int64_t rows = 0;
  SharedBytes images;  // begins with the first image
  std::size_t image_stride = 0;
  SharedBytes labels;  // begins with the first label
  std::size_t label_stride = 0;
};

// The images of the training files or of the test files. They are bytes of mapped files,
// and the rows are in the order of the files. Copies share the bytes.
class ImageSet {
 public:
  // The parts must really contain the rows that they claim, with labels below CLASSES: the code that reads
  // the files checks this. FILES are the files that they come from.
  ImageSet(ImageShape shape, std::int64_t classes, std::vector<ImagePart> parts,
           std::vector<std::filesystem::path> files = {});

  [[nodiscard]] std::int64_t rows() const { return first_rows_.back(); }
  [[nodiscard]] std::int64_t channels() const { return shape_.channels; }
  [[nodiscard]] std::int64_t height() const { return shape_.height; }
  [[nodiscard]] std::int64_t width() const { return shape_.width; }
  [[nodiscard]] std::int64_t classes() const { return classes_; }
  [[nodiscard]] const std::vector<std::filesystem::path>& files() const { return files_; }
  // Returns the pixels, channels x height x width. Like label(), throws std::out_of_range if the row does not
  // exist.
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
  std::vector<std::int64_t> first_rows_;  // the first row of each part, then the total number of rows
};

}  // namespace mpsbench::dataset
