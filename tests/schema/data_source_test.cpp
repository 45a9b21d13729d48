#include "schema/data_source.hpp"

#include <gtest/gtest.h>

namespace mpsbench::schema {

namespace {

TEST(DataPart, IsByIndex) {
  EXPECT_EQ(rows_of(DataPart::train, 50'000), (RowRange{0, 45'000}));
  EXPECT_EQ(rows_of(DataPart::validation, 50'000), (RowRange{45'000, 5'000}));
  EXPECT_EQ(rows_of(DataPart::train, 60'000), (RowRange{0, 54'000}));
  EXPECT_EQ(rows_of(DataPart::validation, 60'000), (RowRange{54'000, 6'000}));
  EXPECT_EQ(rows_of(DataPart::train, 15), (RowRange{0, 13}));
  EXPECT_EQ(rows_of(DataPart::validation, 15), (RowRange{13, 2}));
  EXPECT_EQ(rows_of(DataPart::train, 1), (RowRange{0, 0}));
  EXPECT_EQ(rows_of(DataPart::test, 10'000), (RowRange{0, 10'000}));
}

}  // namespace

}  // namespace mpsbench::schema
