#include "step/attention_watch.hpp"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

namespace mpsbench::step {
namespace {

at::Tensor attend(double dropout, bool gradients = false) {
  const auto make = [&] { return at::randn({2, 2, 16, 8}).requires_grad_(gradients); };
  return at::scaled_dot_product_attention(make(), make(), make(), {}, dropout);
}

TEST(AttentionWatch, SeesTheKernelThatLibtorchChose) {
  const AttentionWatch watch;
  attend(0);
  EXPECT_EQ(watch.backend(), "flash");
}

TEST(AttentionWatch, SeesThatDropoutTakesAnother) {
  const AttentionWatch watch;
  attend(0.5, true).sum().backward();
  EXPECT_EQ(watch.backend(), "math");
}

TEST(AttentionWatch, NamesAllThatOneStepUsed) {
  const AttentionWatch watch;
  attend(0.5);
  attend(0);
  EXPECT_EQ(watch.backend(), "flash+math");
}

TEST(AttentionWatch, IsSilentWithoutAttentionAndAfterItsEnd) {
  {
    const AttentionWatch ended;
  }
  attend(0);
  const AttentionWatch watch;
  at::randn({4}).sum();
  EXPECT_EQ(watch.backend(), "");
}

}  // namespace
}  // namespace mpsbench::step
