// CIFAR-10 in its binary version: five files of training images and one of test images.
#pragma once

#include "dataset/image_set.hpp"
#include "schema/data_part.hpp"

#include <filesystem>

namespace mpsbench::dataset {

// FOLDER contains data_batch_1.bin ... data_batch_5.bin and test_batch.bin, directly or in
// cifar-10-batches-bin, plain or gzipped. If it has none of them, the archive cifar-10-binary.tar.gz is
// unpacked into memory. The files may have any number of 3 x 32 x 32 rows, spread evenly over the five.
// Returns the images of PART. Throws Error(usage), which names the file and says what to do.
[[nodiscard]] ImageSet open_cifar10(const std::filesystem::path& folder, schema::DataPart part);

}  // namespace mpsbench::dataset
