// MNIST: four idx files, train-images-idx3-ubyte and so on.
#pragma once

#include "dataset/image_set.hpp"
#include "schema/data_part.hpp"

#include <filesystem>

namespace mpsbench::dataset {

// FOLDER holds the files itself or in MNIST/raw, as torchvision keeps them; plain or gzipped, with "-" or "."
// before "idx". Any number of rows of 1 x 28 x 28. Gives those of PART's files. Throws Error(usage) that
// names the file and the cure.
[[nodiscard]] ImageSet open_mnist(const std::filesystem::path& folder, schema::DataPart part);

}  // namespace mpsbench::dataset
