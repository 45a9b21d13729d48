// MNIST in four idx files: train-images-idx3-ubyte and so on.
#pragma once

#include "dataset/image_set.hpp"
#include "schema/data_part.hpp"

#include <filesystem>

namespace mpsbench::dataset {

// FOLDER contains the files directly or, as torchvision stores them, in MNIST/raw. They are plain or gzipped,
// and their names have "-" or "." before "idx". They may have any number of 1 x 28 x 28 rows. Returns the
// images of PART. Throws Error(usage), which names the file and says what to do.
[[nodiscard]] ImageSet open_mnist(const std::filesystem::path& folder, schema::DataPart part);

}  // namespace mpsbench::dataset
