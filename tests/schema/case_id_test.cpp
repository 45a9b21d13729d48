#include "schema/case_id.hpp"

#include "schema/samples.hpp"

#include <gtest/gtest.h>

namespace mpsbench::schema {
namespace {

TEST(CaseId, NamesTheWorkInAFixedOrder) {
  EXPECT_EQ(plain_case_id(tests::full_spec(), "max"), "vgg16/train/cpu/bmax/bf16/eager/synthetic");
}

}  // namespace
}  // namespace mpsbench::schema
