// Fuzzes the readers of data sets. The first byte selects the reader.
#include "fuzz/harness.hpp"
#include "input/dataset/image_files.hpp"
#include "input/dataset/trec.hpp"

#include <fstream>
#include <vector>

namespace {

using namespace mpsbench;
using schema::DataPart;

// Each input's file replaces the previous one. scripts/dev/fuzz makes the folder, in memory, and removes it.
const std::filesystem::path& folder() {
  static const std::filesystem::path kFolder = std::filesystem::temp_directory_path();
  return kFolder;
}

class InputFile {
 public:
  InputFile(const std::string& name, std::string_view text) : path_(folder() / name) {
    std::ofstream(path_, std::ios::binary) << text;
  }
  ~InputFile() { std::filesystem::remove(path_); }
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

 private:
  std::filesystem::path path_;
};

void look_at(const dataset::ImageSet& images) {
  for (std::int64_t row = 0; row < images.rows(); ++row) {
    const auto image = images.image(row);
    const volatile int seen = image.front() + image.back() + static_cast<int>(images.label(row));
    (void)seen;
  }
}

void read_mnist(std::string_view text) {
  const std::size_t half = text.size() / 2;
  const InputFile images("train-images-idx3-ubyte", text.substr(0, half));
  const InputFile labels("train-labels-idx1-ubyte", text.substr(half));
  look_at(dataset::open_mnist(folder(), DataPart::train));
}

void read_as(unsigned kind, std::string_view text) {
  switch (kind % 6) {
    case 0:
    case 1:
    case 2: {
      const InputFile file("a", text);
      return (void)dataset::read_idx(folder() / "a", kind % 6 + 1);
    }
    case 3:
      return read_mnist(text);
    case 4: {
      const InputFile file("test_batch.bin", text);
      return look_at(dataset::open_cifar10(folder(), DataPart::test));
    }
    default: {
      const InputFile file("train_5500.label", text);
      (void)dataset::open_trec(folder(), DataPart::train, schema::TrecLabels::v2_0_0);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 0) fuzz::try_to([&] { read_as(data[0], fuzz::text_of(data + 1, size - 1)); });
  return 0;
}
