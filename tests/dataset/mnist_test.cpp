#include "dataset/mnist.hpp"

#include "dataset/gzipped.hpp"
#include "dataset/support.hpp"

namespace mpsbench::dataset {
namespace {

using schema::DataPart;
using tests::contains;
using tests::gzipped;
using tests::idx;
using tests::Scratch;
using tests::usage_error_of;

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
  EXPECT_EQ(set.channels(), 1);
  EXPECT_EQ(set.height(), 28);
  EXPECT_EQ(set.width(), 28);
  EXPECT_EQ(set.classes(), 10);
  for (std::int64_t row = 0; row < 3; ++row) {
    EXPECT_EQ(set.label(row), 9 - row);
    EXPECT_EQ(set.image(row).size(), kPixels);
    EXPECT_EQ(set.image(row).front(), row);
    EXPECT_EQ(set.image(row).back(), row);
  }
}

TEST(Mnist, ReadsEachFormOfItsFiles) {
  for (const char* stem : {"", "MNIST/raw/"}) {
    for (const char* joint : {"-", "."}) {
      for (const bool packed : {false, true}) {
        const Scratch scratch;
        const std::string end = packed ? ".gz" : "";
        const std::string image_bytes = images(3);
        const std::string label_bytes = labels("\x09\x08\x07");
        scratch.write(stem + ("t10k-images" + (joint + ("idx3-ubyte" + end))),
                      packed ? gzipped(image_bytes) : image_bytes);
        scratch.write(stem + ("t10k-labels" + (joint + ("idx1-ubyte" + end))),
                      packed ? gzipped(label_bytes) : label_bytes);
        expect_three_rows(open_mnist(scratch.root(), DataPart::test));
        EXPECT_TRUE(
            contains(mnist_refusal(scratch), "no train-images-idx3-ubyte here; 'scripts/fetch_data mnist"));
      }
    }
  }
}

TEST(Mnist, NeedsBothFiles) {
  const Scratch scratch;
  scratch.write("train-images-idx3-ubyte.gz", gzipped(images(1)));
  EXPECT_TRUE(contains(mnist_refusal(scratch),
                       "train-images-idx3-ubyte.gz is here, but train-labels-idx1-ubyte is not"));
  std::filesystem::remove(scratch / "train-images-idx3-ubyte.gz");
  scratch.write("train-labels-idx1-ubyte", labels("\1"));
  EXPECT_TRUE(contains(mnist_refusal(scratch),
                       "train-labels-idx1-ubyte is here, but train-images-idx3-ubyte is not"));
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

}  // namespace
}  // namespace mpsbench::dataset
