// CIFAR-10, binary version: five files of training images and one for the test.
#pragma once

#include "dataset/image_set.hpp"
#include "schema/data_part.hpp"

#include <filesystem>

namespace mpsbench::dataset {

// FOLDER holds data_batch_1.bin ... data_batch_5.bin and test_batch.bin itself or in cifar-10-batches-bin,
// plain or gzipped; or, failing these, the archive cifar-10-binary.tar.gz, which is unpacked into memory. Any
// number of rows, 3 x 32 x 32, spread evenly over the five files. Gives those of PART's files.
// Throws Error(usage) that names the file and the cure.
[[nodiscard]] ImageSet open_cifar10(const std::filesystem::path& folder, schema::DataPart part);

}  // namespace mpsbench::dataset
