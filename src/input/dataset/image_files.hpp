// The data sets of images, CIFAR-10 and MNIST, in the forms of their publishers, and how their images are made to
// fit the inputs of a network.
#pragma once

#include "input/dataset/data_file.hpp"
#include "schema/data_source.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>
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
  // The parts must really contain the rows that they claim: the code that reads the files checks this. FILES are the
  // files that they come from.
  ImageSet(ImageShape shape, std::vector<ImagePart> parts, std::vector<std::filesystem::path> files);

  [[nodiscard]] std::int64_t rows() const { return first_rows_.back(); }
  [[nodiscard]] const ImageShape& shape() const { return shape_; }
  [[nodiscard]] const std::vector<std::filesystem::path>& files() const { return files_; }
  // Returns the pixels, channels x height x width. Like label(), throws std::out_of_range if the row does not
  // exist.
  [[nodiscard]] std::span<const std::uint8_t> image(std::int64_t row) const;
  [[nodiscard]] std::int64_t label(std::int64_t row) const;

 private:
  struct RowPlace {
    const ImagePart& part;
    std::size_t index;
  };
  [[nodiscard]] RowPlace place_of(std::int64_t row) const;

  ImageShape shape_;
  std::vector<ImagePart> parts_;
  std::vector<std::filesystem::path> files_;
  std::vector<std::int64_t> first_rows_;  // the first row of each part, then the total number of rows
};

// MNIST's file format, "idx" (yann.lecun.com/exdb/mnist): one-byte integers after a header of sizes.
struct IdxData {
  std::vector<std::int64_t> sizes;  // the number of rows comes first
  SharedBytes values;               // row-major; their number is the product of the sizes
};

// FILE must have DIMENSIONS (1 to 3) sizes, none of them 0, and exactly as many values as
// the sizes imply. Otherwise throws Error(usage). Memory never grows with a size that a header merely claims.
[[nodiscard]] IdxData read_idx(const std::filesystem::path& file, std::size_t dimensions);

// CIFAR-10 in its binary version: five files of training images and one of test images.
// FOLDER contains data_batch_1.bin ... data_batch_5.bin and test_batch.bin, directly or in
// cifar-10-batches-bin. The files may have any number of 3 x 32 x 32 rows, spread evenly over the five.
// Returns the images of PART. Throws Error(usage), which names the file and says what to do.
[[nodiscard]] ImageSet open_cifar10(const std::filesystem::path& folder, schema::DataPart part);

// MNIST in four idx files: train-images-idx3-ubyte and so on.
// FOLDER contains the files directly or, as torchvision stores them, in MNIST/raw. Their
// names have "-" or "." before "idx". They may have any number of 1 x 28 x 28 rows. Returns the
// images of PART. Throws Error(usage), which names the file and says what to do.
[[nodiscard]] ImageSet open_mnist(const std::filesystem::path& folder, schema::DataPart part);

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
