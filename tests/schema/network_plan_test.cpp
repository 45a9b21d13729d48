#include "schema/network_plan.hpp"

#include "schema/samples.hpp"

#include <gtest/gtest.h>

namespace mpsbench::schema {
namespace {

using tests::full_plan;

TEST(NetworkPlan, CountsTwoOperationsAMultiplyAccumulate) {
  EXPECT_EQ(flops_per_step(full_plan(), Mode::train), 2 * (64 + 128));
  EXPECT_EQ(flops_per_step(full_plan(), Mode::infer), 2 * 64);
}

TEST(Shape, IsShownInBrackets) {
  EXPECT_EQ(to_string(Shape{}), "[]");
  EXPECT_EQ(to_string(Shape{2, 3, 224}), "[2, 3, 224]");
}

}  // namespace
}  // namespace mpsbench::schema
