#include "dataset/split_rows.hpp"

#include <gtest/gtest.h>

namespace mpsbench::dataset {
namespace {

TEST(SplitRows, IsByIndex) {
  EXPECT_EQ(training_rows(50'000), (RowRange{0, 45'000}));
  EXPECT_EQ(validation_rows(50'000), (RowRange{45'000, 5'000}));
  EXPECT_EQ(training_rows(60'000), (RowRange{0, 54'000}));
  EXPECT_EQ(validation_rows(60'000), (RowRange{54'000, 6'000}));
  EXPECT_EQ(training_rows(15), (RowRange{0, 13}));
  EXPECT_EQ(validation_rows(15), (RowRange{13, 2}));
  EXPECT_EQ(training_rows(1), (RowRange{0, 0}));
}

}  // namespace
}  // namespace mpsbench::dataset
