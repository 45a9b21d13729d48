#include "input/dataset/image_files.hpp"

#include "base/hex.hpp"
#include "input/dataset/support.hpp"

#include <stdexcept>

namespace mpsbench::dataset {

namespace {

using tests::big_endian;
using tests::contains;
using tests::idx;
using tests::text_of;
using tests::usage_error_of;

IdxData read(const std::string& bytes, std::size_t dimensions) {
  const tests::Scratch scratch;
  return read_idx(scratch.write("f", bytes), dimensions);
}

std::string refusal(const std::string& bytes, std::size_t dimensions) {
  return usage_error_of([&] { (void)read(bytes, dimensions); });
}

TEST(Idx, ReadsWhatItsHeaderPromises) {
  const IdxData data = read(idx({2, 3, 1}, "abcdef"), 3);
  EXPECT_EQ(data.sizes, (std::vector<std::int64_t>{2, 3, 1}));
  EXPECT_EQ(text_of(data.values.view), "abcdef");
  EXPECT_EQ(read(idx({4}, "abcd"), 1).sizes, std::vector<std::int64_t>{4});
}

TEST(Idx, RefusesOtherFiles) {
  EXPECT_TRUE(contains(refusal(idx({4}, "abcd" + std::string(9, 'x')), 3), "contains labels, not images"));
  EXPECT_TRUE(contains(refusal(idx({2, 1, 1}, "ab"), 1), "contains images, not labels"));
  EXPECT_TRUE(contains(refusal(idx({1, 1}, "a"), 1), "it begins with 2050, not 2049"));
  EXPECT_TRUE(contains(refusal(big_endian(0x0D03) + std::string(12, '\1'), 3), "it begins with 3331, not 2051"));
  EXPECT_TRUE(contains(refusal("PNG and so on, of some length", 3), "is not an idx file of bytes"));
}

TEST(Idx, RefusesAnotherLengthThanPromised) {
  const std::string whole = idx({2, 3, 1}, "abcdef");
  for (std::size_t length = 1; length < whole.size(); ++length) {
    EXPECT_TRUE(contains(refusal(whole.substr(0, length), 3), "is truncated")) << length;
  }
  EXPECT_TRUE(contains(refusal(whole + "g", 3), "is too long: its header claims 6 values, but the file has 7"));
  EXPECT_TRUE(contains(refusal(idx({0, 28, 28}, ""), 3), "has a size of 0"));
}

TEST(Idx, NeverBelievesASize) {
  constexpr std::uint32_t kMost = 0xffffffff;
  EXPECT_TRUE(contains(refusal(idx({1'000'000'000}, "a"), 1), "is truncated: its header claims 1000000000"));
  EXPECT_TRUE(
      contains(refusal(idx({kMost, kMost, 1}, "a"), 3), "is truncated: its header claims 18446744065119617025"));
  EXPECT_TRUE(contains(refusal(idx({kMost, kMost, kMost}, "a"), 3), "whose product is too large"));
}

using schema::DataPart;
using tests::cifar_file;
using tests::Scratch;

constexpr const char* kArchive = "cifar-10-binary.tar.gz";

std::string batch_name(int number) {
  return "data_batch_" + std::to_string(number) + ".bin";
}

// Writes five training files of ROWS rows, whose labels continue from file to file, and a test file of 2
// rows.
void write_files(const Scratch& scratch, const std::string& folder, int rows) {
  for (int file = 0; file < 5; ++file) scratch.write(folder + batch_name(file + 1), cifar_file(rows, file * rows));
  scratch.write(folder + "test_batch.bin", cifar_file(2));
}

void expect_rows(const ImageSet& set, std::int64_t rows) {
  ASSERT_EQ(set.rows(), rows);
  EXPECT_EQ(set.shape(), (ImageShape{3, 32, 32}));
  for (std::int64_t row = 0; row < rows; ++row) {
    EXPECT_EQ(set.label(row), row % 10);
    EXPECT_EQ(set.image(row).size(), 3072U);
    EXPECT_EQ(set.image(row).front(), 100 + row % 10);
    EXPECT_EQ(set.image(row).back(), 100 + row % 10);
  }
  for (const std::int64_t row : {std::int64_t{-1}, rows}) {
    EXPECT_THROW((void)set.image(row), std::out_of_range);
    EXPECT_THROW((void)set.label(row), std::out_of_range);
  }
}

std::string cifar10_refusal(const Scratch& scratch, DataPart part = DataPart::train) {
  return usage_error_of([&] { (void)open_cifar10(scratch.root(), part); });
}

TEST(Cifar10, ReadsItsFilesInBothPlaces) {
  for (const char* folder : {"", "cifar-10-batches-bin/"}) {
    const Scratch scratch;
    write_files(scratch, folder, 3);
    expect_rows(open_cifar10(scratch.root(), DataPart::train), 15);
    expect_rows(open_cifar10(scratch.root(), DataPart::test), 2);
  }
}

TEST(Cifar10, NamesTheCommandThatUnpacks) {
  const Scratch scratch;
  const std::string archive = scratch.write(kArchive, "packed").string();
  EXPECT_EQ(cifar10_refusal(scratch),
            archive + ": is packed; unpack it with 'tar -xzf " + archive + " -C " + scratch.root().string() + "'");
  const std::string batch = scratch.write("cifar-10-batches-bin/test_batch.bin.gz", "packed").string();
  EXPECT_EQ(cifar10_refusal(scratch, DataPart::test), batch + ": is packed; unpack it with 'gunzip -k " + batch + "'");
  write_files(scratch, "", 3);
  expect_rows(open_cifar10(scratch.root(), DataPart::test), 2);
  std::filesystem::rename(scratch / batch_name(2), scratch / (batch_name(2) + ".gz"));
  EXPECT_TRUE(contains(cifar10_refusal(scratch), "data_batch_2.bin.gz: is packed; unpack it with 'gunzip"));
}

TEST(Cifar10, RefusesFilesThatAreNoRecords) {
  const Scratch scratch;
  write_files(scratch, "", 3);
  scratch.write(batch_name(2), cifar_file(3).substr(1));
  EXPECT_TRUE(contains(cifar10_refusal(scratch),
                       "data_batch_2.bin: has 9218 bytes, which is not a multiple of the record size of 3073"));
  std::string bytes = cifar_file(3);
  bytes[6146] = '\x0a';
  scratch.write(batch_name(2), bytes);
  EXPECT_TRUE(contains(cifar10_refusal(scratch), "data_batch_2.bin: label 10 in row 2 (from 0) is not 0 to 9"));
  std::filesystem::remove(scratch / batch_name(2));
  EXPECT_TRUE(contains(cifar10_refusal(scratch), "data_batch_2.bin: is missing, but other files"));
  scratch.write(batch_name(2), "");
  EXPECT_TRUE(contains(cifar10_refusal(scratch), "data_batch_2.bin: is empty"));
  std::filesystem::remove(scratch / batch_name(2));
  std::filesystem::create_directory(scratch / batch_name(2));
  EXPECT_TRUE(contains(cifar10_refusal(scratch), "data_batch_2.bin: is a folder, not a file"));
}

TEST(Cifar10, SeesATrainingFileThatWasCutBetweenTwoRecords) {
  const Scratch scratch;
  write_files(scratch, "", 6);
  scratch.write(batch_name(5), cifar_file(2, 24));  // 26 rows, spread as 6, 6, 6, 6 and 2
  expect_rows(open_cifar10(scratch.root(), DataPart::train), 26);
  scratch.write(batch_name(5), cifar_file(1));
  EXPECT_TRUE(contains(cifar10_refusal(scratch), "data_batch_5.bin: is truncated: it has 1 rows, not 6"));
}

TEST(Cifar10, SeesATestFileThatWasCutBetweenTwoRecords) {
  const Scratch scratch;
  write_files(scratch, "", 1);
  // A sparse file, so it needs no disk space.
  std::filesystem::resize_file(scratch / batch_name(1), 30'730'000);
  EXPECT_TRUE(
      contains(cifar10_refusal(scratch, DataPart::test), "test_batch.bin: is truncated: it has 2 rows, not 10000"));
  scratch.write("SHA256SUMS", base::sha256_hex(cifar_file(2)) + "  test_batch.bin\n");
  expect_rows(open_cifar10(scratch.root(), DataPart::test), 2);
}

TEST(Cifar10, SaysWhatIsMissing) {
  const Scratch scratch;
  EXPECT_TRUE(contains(cifar10_refusal(scratch), "no data_batch_1.bin here; 'scripts/fetch_data cifar10 --data-dir "));
  EXPECT_TRUE(
      contains(cifar10_refusal(scratch, DataPart::test), "no test_batch.bin here; 'scripts/fetch_data cifar10"));
  scratch.write("cifar-10-batches-py/data_batch_1", "pickle");
  EXPECT_TRUE(contains(cifar10_refusal(scratch),
                       "here (cifar-10-batches-py is the Python version, which has another format);"));
}

constexpr std::size_t kPixels = std::size_t{28} * 28;

std::string images(std::uint32_t rows, std::uint32_t side = 28) {
  std::string pixels;
  for (std::uint32_t row = 0; row < rows; ++row)
    pixels += std::string(std::size_t{side} * side, static_cast<char>(row));
  return idx({rows, side, side}, pixels);
}

std::string labels(const std::string& values) {
  return idx({static_cast<std::uint32_t>(values.size())}, values);
}

std::string mnist_refusal(const Scratch& scratch, DataPart part = DataPart::train) {
  return usage_error_of([&] { (void)open_mnist(scratch.root(), part); });
}

void expect_three_rows(const ImageSet& set) {
  EXPECT_EQ(set.rows(), 3);
  EXPECT_EQ(set.shape(), (ImageShape{1, 28, 28}));
  for (std::int64_t row = 0; row < 3; ++row) {
    EXPECT_EQ(set.label(row), 9 - row);
    EXPECT_EQ(set.image(row).size(), kPixels);
    EXPECT_EQ(set.image(row).front(), row);
    EXPECT_EQ(set.image(row).back(), row);
  }
}

TEST(Mnist, ReadsItsFilesByAllNames) {
  for (const char* stem : {"", "MNIST/raw/"}) {
    for (const char* joint : {"-", "."}) {
      const Scratch scratch;
      scratch.write(stem + ("t10k-images" + std::string(joint)) + "idx3-ubyte", images(3));
      scratch.write(stem + ("t10k-labels" + std::string(joint)) + "idx1-ubyte", labels("\x09\x08\x07"));
      expect_three_rows(open_mnist(scratch.root(), DataPart::test));
      EXPECT_TRUE(contains(mnist_refusal(scratch), "no train-images-idx3-ubyte here; 'scripts/fetch_data mnist"));
    }
  }
}

TEST(Mnist, NeedsBothFiles) {
  const Scratch scratch;
  scratch.write("train-images-idx3-ubyte", images(1));
  EXPECT_TRUE(contains(mnist_refusal(scratch), "train-images-idx3-ubyte is here, but train-labels-idx1-ubyte is not"));
  std::filesystem::remove(scratch / "train-images-idx3-ubyte");
  scratch.write("train-labels-idx1-ubyte", labels("\1"));
  EXPECT_TRUE(contains(mnist_refusal(scratch), "train-labels-idx1-ubyte is here, but train-images-idx3-ubyte is not"));
}

TEST(Mnist, NamesTheCommandThatUnpacks) {
  const Scratch scratch;
  const std::string file = scratch.write("MNIST/raw/train-labels-idx1-ubyte.gz", "packed").string();
  const std::string refusal = file + ": is packed; unpack it with 'gunzip -k " + file + "'";
  EXPECT_EQ(mnist_refusal(scratch), refusal);
  scratch.write("MNIST/raw/train-images-idx3-ubyte", images(1));
  EXPECT_EQ(mnist_refusal(scratch), refusal);
  scratch.write("MNIST/raw/train-labels-idx1-ubyte", labels("\1"));
  EXPECT_EQ(open_mnist(scratch.root(), DataPart::train).rows(), 1);
}

TEST(Mnist, RefusesFilesThatDoNotGoTogether) {
  const Scratch scratch;
  scratch.write("train-images-idx3-ubyte", images(2));
  scratch.write("train-labels-idx1-ubyte", labels("\1\2\3"));
  EXPECT_TRUE(contains(mnist_refusal(scratch), "has 3 labels for the 2 images of train-images-idx3-ubyte"));
  scratch.write("train-labels-idx1-ubyte", labels("\1\x0a"));
  EXPECT_TRUE(contains(mnist_refusal(scratch), "label 10 in row 1 (from 0) is not 0 to 9"));
  scratch.write("train-labels-idx1-ubyte", images(2));
  EXPECT_TRUE(contains(mnist_refusal(scratch), "labels-idx1-ubyte: contains images, not labels"));
  scratch.write("train-images-idx3-ubyte", labels("\1\2"));
  EXPECT_TRUE(contains(mnist_refusal(scratch), "images-idx3-ubyte: contains labels, not images"));
  scratch.write("train-images-idx3-ubyte", images(2, 32));
  scratch.write("train-labels-idx1-ubyte", labels("\1\2"));
  EXPECT_TRUE(contains(mnist_refusal(scratch), "has images of 32 x 32, not 28 x 28"));
}

constexpr ImageShape kCifar{3, 32, 32};
constexpr ImageShape kMnist{1, 28, 28};

TEST(ImageFit, KeepsWhatFits) {
  const ImageFit fit = fit_images(kCifar, {3, 32, 32});
  EXPECT_FALSE(fit.resize_to || fit.crop_to);
}

TEST(ImageFit, ResizesForSmallNetworks) {
  const ImageFit fit = fit_images(kMnist, {1, 32, 32});
  EXPECT_EQ(fit.resize_to, 32);
  EXPECT_FALSE(fit.crop_to.has_value());
}

TEST(ImageFit, CropsForLargeOnes) {
  const ImageFit fit = fit_images(kCifar, {3, 224, 224});
  EXPECT_EQ(fit.resize_to, 256);
  EXPECT_EQ(fit.crop_to, 224);
}

TEST(ImageFit, RefusesOtherChannelsAndShapes) {
  EXPECT_THROW((void)fit_images(kMnist, {3, 32, 32}), base::Error);
  EXPECT_THROW((void)fit_images(kCifar, {3, 32, 64}), base::Error);
}

}  // namespace

}  // namespace mpsbench::dataset
