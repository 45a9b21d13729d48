#include "device/kinds.hpp"

#include <gtest/gtest.h>

namespace mpsbench::device {
namespace {

TEST(Kinds, HaveARowEachInTheOrderOfTheSet) {
  ASSERT_EQ(kind_rows().size(), schema::names_of<schema::DeviceKind>().size());
  for (const KindRow& row : kind_rows()) EXPECT_EQ(&kind_row(row.kind), &row) << to_string(row.kind);
}

}  // namespace
}  // namespace mpsbench::device
