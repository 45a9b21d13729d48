// The images of a data set, as bytes, with their labels.
#pragma once

#include "dataset/shared_bytes.hpp"

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace mpsbench::dataset {

enum class Split { train, test };

// Rows of one file, or of one file of images and one of labels.
struct ImagePart {
  std::int64_t rows = 0;
  SharedBytes images;  // from the first image on
  std::size_t image_stride = 0;
  SharedBytes labels;  // from the first label on
  std::size_t label_stride = 0;
};

// Of an image, planes one after the other and row by row: channels x height x width.
struct ImageShape {
  std::int64_t channels = 0;
  std::int64_t height = 0;
  std::int64_t width = 0;

  [[nodiscard]] std::size_t plane_elements() const { return static_cast<std::size_t>(height * width); }
  [[nodiscard]] std::size_t elements() const { return static_cast<std::size_t>(channels) * plane_elements(); }
  bool operator==(const ImageShape&) const = default;
};

// Images of one split, bytes in memory (mapped where the file is plain), rows in file order. Copies share
// them.
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
  struct Place {
    const ImagePart& part;
    std::size_t index;
  };
  [[nodiscard]] Place place_of(std::int64_t row) const;

  ImageShape shape_;
  std::int64_t classes_;
  std::vector<ImagePart> parts_;
  std::vector<std::filesystem::path> files_;
  std::vector<std::int64_t> first_rows_;  // of each part, then the number of all rows
};

}  // namespace mpsbench::dataset
