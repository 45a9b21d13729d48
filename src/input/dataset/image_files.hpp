// The data sets of images, CIFAR-10 and MNIST, in the forms of their publishers.
#pragma once

#include "input/dataset/data_file.hpp"
#include "input/dataset/image_set.hpp"
#include "schema/data_source.hpp"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace mpsbench::dataset {

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

}  // namespace mpsbench::dataset
