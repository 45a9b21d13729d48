#include "device/round_trip.hpp"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>

namespace mpsbench::device {
namespace {

TEST(RoundTrip, OfADeviceThatKeepsEveryBitIsRight) {
  EXPECT_EQ(why_not_returned([](const at::Tensor& sent) { return sent.clone(); }), "");
}

TEST(RoundTrip, NamesWhatADeviceChanges) {
  const auto changed = [](const auto& change) {
    return why_not_returned([&](const at::Tensor& sent) {
      return sent.is_floating_point() ? at::Tensor(change(sent.clone())) : sent.clone();
    });
  };
  // Adding zero turns -0 into 0.
  EXPECT_EQ(changed([](const at::Tensor& sent) { return sent + 0; }),
            "float32 zeros and ordinary numbers that were copied to it came back changed");
  const auto without_denormals = [](at::Tensor sent) {
    const at::Tensor bits = sent.view(at::kInt);
    const at::Tensor exponent = bits.bitwise_and(0x7f80'0000);
    const at::Tensor fraction = bits.bitwise_and(0x007f'ffff);
    bits.masked_fill_(exponent.eq(0).logical_and(fraction.ne(0)), 0);
    return sent;
  };
  EXPECT_EQ(changed(without_denormals), "float32 denormals that were copied to it came back changed");
  EXPECT_EQ(changed([](at::Tensor sent) { return sent.nan_to_num_(1, HUGE_VAL, -HUGE_VAL); }),
            "float32 infinities and NaNs that were copied to it came back changed");
}

TEST(RoundTrip, NamesWholeNumbersThatPassThroughFloats) {
  EXPECT_EQ(why_not_returned([](const at::Tensor& sent) {
              return sent.is_floating_point() ? sent.clone() : sent.to(at::kDouble).to(at::kLong);
            }),
            "int64 numbers that were copied to it came back changed");
}

}  // namespace
}  // namespace mpsbench::device
