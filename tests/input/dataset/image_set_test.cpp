#include "input/dataset/image_files.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <utility>

namespace mpsbench::dataset {
namespace {

SharedBytes held(std::vector<std::uint8_t> bytes) {
  const auto owner = std::make_shared<const std::vector<std::uint8_t>>(std::move(bytes));
  return {owner, *owner};
}

// Returns a part of three rows, each a label and a 1 x 1 x 2 image, and a part of two rows with separate
// labels.
ImageSet two_parts() {
  const SharedBytes records = held({5, 10, 11, 6, 20, 21, 7, 30, 31});
  const SharedBytes images = held({40, 41, 50, 51});
  const SharedBytes labels = held({8, 9});
  return {{1, 1, 2}, 10, {{3, records.from(1), 3, records, 3}, {2, images, 2, labels, 1}}};
}

TEST(ImageSet, FindsRowsInTheirParts) {
  const ImageSet set = two_parts();
  EXPECT_EQ(set.rows(), 5);
  EXPECT_EQ(set.shape(), (ImageShape{1, 1, 2}));
  EXPECT_EQ(set.classes(), 10);
  for (std::int64_t row = 0; row < set.rows(); ++row) {
    EXPECT_EQ(set.label(row), 5 + row);
    ASSERT_EQ(set.image(row).size(), 2U);
    EXPECT_EQ(set.image(row)[0], 10 * (row + 1));
    EXPECT_EQ(set.image(row)[1], 10 * (row + 1) + 1);
  }
}

TEST(ImageSet, HasNoOtherRows) {
  const ImageSet set = two_parts();
  for (const std::int64_t row : {std::int64_t{-1}, std::int64_t{5}}) {
    EXPECT_THROW((void)set.image(row), std::out_of_range);
    EXPECT_THROW((void)set.label(row), std::out_of_range);
  }
}

}  // namespace
}  // namespace mpsbench::dataset
