// Measures how many images per second the input pipeline delivers, for scripts/dev/compare_input.py. It
// resizes to 256, crops to 224 and normalises. IMAGES has 3x32x32 bytes per image, which are read from
// memory, as from a mapped file.
//
//   pipeline_rate rate IMAGES BATCH WORKERS  random crops; prints the rate after the first batch, as JSON
//   pipeline_rate print IMAGES BATCH         centre crops; prints the first batch as floats
#include "base/clock.hpp"
#include "input/pipeline/loader.hpp"

#include <cstdint>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace pipeline = mpsbench::pipeline;

class Images final : public pipeline::ImageSource {
 public:
  Images(std::string file, std::vector<std::uint8_t> bytes) : file_(std::move(file)), bytes_(std::move(bytes)) {}

  [[nodiscard]] std::string name() const override { return file_; }
  [[nodiscard]] std::int64_t rows() const override { return static_cast<std::int64_t>(bytes_.size() / kImageBytes); }
  [[nodiscard]] mpsbench::schema::ImageShape shape() const override { return {3, 32, 32}; }
  [[nodiscard]] std::span<const std::uint8_t> image(std::int64_t row) const override {
    return std::span(bytes_).subspan(static_cast<std::size_t>(row) * kImageBytes, kImageBytes);
  }
  [[nodiscard]] std::int64_t label(std::int64_t row) const override { return row % 10; }

 private:
  static constexpr std::size_t kImageBytes = 3072;
  std::string file_;
  std::vector<std::uint8_t> bytes_;
};

Images read_images(const std::string& file) {
  std::ifstream in(file, std::ios::binary);
  return {file, {std::istreambuf_iterator<char>(in), {}}};
}

pipeline::ImageTransform transform(bool random_crop) {
  return {.resize_to = 256, .crop_to = 224, .random_crop = random_crop, .mean = 0.5F, .stddev = 0.5F};
}

void print_rate(const Images& images, std::int64_t batch_size, int workers) {
  const pipeline::BatchOrder order{
      .rows = {0, images.rows()}, .batch_size = batch_size, .drop_last = true, .shuffle = true};
  pipeline::BatchLoader loader(images, transform(true), order, {.workers = workers});
  loader.begin_epoch(0);
  double start_seconds = 0;
  std::int64_t rows = -1;
  while (const auto batch = loader.next()) {
    if (rows < 0) {
      start_seconds = mpsbench::base::steady_seconds();
      rows = 0;
    } else {
      rows += batch->rows();
    }
  }
  const double seconds = mpsbench::base::steady_seconds() - start_seconds;
  std::printf(R"({"images": %lld, "seconds": %.9g})", static_cast<long long>(rows), seconds);
}

void print_batch(const Images& images, std::int64_t batch_size) {
  const pipeline::BatchOrder order{.rows = {0, images.rows()}, .batch_size = batch_size};
  pipeline::BatchLoader loader(images, transform(false), order);
  loader.begin_epoch(0);
  const pipeline::LoadedBatch batch = loader.next().value();
  std::fwrite(batch.images.data(), sizeof(float), batch.images.size(), stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  try {
    if (words.size() == 4 && words[0] == "rate") {
      print_rate(read_images(words[1]), std::stoll(words[2]), std::stoi(words[3]));
    } else if (words.size() == 3 && words[0] == "print") {
      print_batch(read_images(words[1]), std::stoll(words[2]));
    } else {
      std::cerr << "usage: pipeline_rate rate IMAGES BATCH WORKERS | print IMAGES BATCH\n";
      return 2;
    }
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 2;
  }
  return 0;
}
