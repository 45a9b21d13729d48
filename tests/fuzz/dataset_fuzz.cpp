// Fuzzes the readers of data sets. The first byte selects the reader, and whether the harness packs the rest
// before reading: a mutation of a packed file would break its checksum.
#include "dataset/cifar10.hpp"
#include "dataset/gzip_reader.hpp"
#include "dataset/idx.hpp"
#include "dataset/mnist.hpp"
#include "dataset/tar.hpp"
#include "dataset/trec.hpp"
#include "fuzz/harness.hpp"

#include <zlib.h>

#include <fstream>
#include <vector>

namespace {

using namespace mpsbench;
using schema::DataPart;

std::string packed(std::string_view text) {
  constexpr int kGzip = 15 + 16;
  z_stream stream{};
  deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

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

void read_mnist(std::string_view text, const std::string& ending) {
  const std::size_t half = text.size() / 2;
  const InputFile images("train-images-idx3-ubyte" + ending, text.substr(0, half));
  const InputFile labels("train-labels-idx1-ubyte" + ending, text.substr(half));
  look_at(dataset::open_mnist(folder(), DataPart::train));
}

void read_archive(const std::string& archive) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(archive.data());
  dataset::GzipReader reader("a.tar.gz", {bytes, archive.size()});
  (void)dataset::read_tar("a.tar.gz", reader, {"data_batch_1.bin", "test_batch.bin"});
}

void read_cifar10(const std::string& name, const std::string& text) {
  const InputFile file(name, text);
  look_at(dataset::open_cifar10(folder(), DataPart::test));
}

void read_as(unsigned kind, std::string_view text) {
  const bool pack = kind / 8 % 2 == 1;
  const std::string content = pack ? packed(text) : std::string(text);
  const std::string ending = kind / 16 % 2 == 1 || pack ? ".gz" : "";
  switch (kind % 8) {
    case 0:
    case 1:
    case 2: {
      const InputFile file("a" + ending, content);
      return (void)dataset::read_idx(folder() / ("a" + ending), kind % 8 + 1);
    }
    case 3:
      return read_mnist(text, "");
    case 4:
      return read_archive(content);
    case 5:
      return read_cifar10("test_batch.bin" + ending, content);
    case 6:
      return read_cifar10("cifar-10-binary.tar.gz", content);
    default: {
      const InputFile file("train_5500.label" + ending, content);
      (void)dataset::open_trec(folder(), DataPart::train, schema::TrecLabels::v2_0_0);
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size > 0) fuzz::try_to([&] { read_as(data[0], fuzz::text_of(data + 1, size - 1)); });
  return 0;
}
