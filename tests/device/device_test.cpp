#include "device/device.hpp"

#include "support/errors.hpp"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

namespace mpsbench::device {
namespace {

TEST(Device, TheCpuIsSynchronousAndHasNoMemoryOfItsOwn) {
  const Device device = Device::open("cpu");
  EXPECT_FALSE(device.asynchronous());
  EXPECT_FALSE(device.memory().has_value());
  EXPECT_FALSE(device.peak_memory().has_value());
  device.synchronize();
  device.reset_peak_memory();
}

// On any machine: a device that the probe calls usable opens, and for any other the error says why not.
TEST(Device, OpensWhatIsUsableAndRefusesTheRest) {
  for (const schema::DeviceStatus& status : probe_devices()) {
    if (status.usable) {
      EXPECT_EQ(Device::open(status.device).asynchronous(), status.device.row().asynchronous);
      continue;
    }
    EXPECT_EQ(tests::error_of(base::ErrorKind::no_device, [&] { (void)Device::open(status.device); }), status.reason);
  }
}

TEST(Device, ComputesOnTheCpu) {
  EXPECT_EQ(why_unusable(c10::Device(c10::kCPU)), "");
}

TEST(Capabilities, CudaCanTakeTheRowOfMps) {
  EXPECT_TRUE(capabilities_of(schema::DeviceKind::cuda).events);
  EXPECT_TRUE(capabilities_of(schema::DeviceKind::cuda).graphs);
  ::setenv("MPSBENCH_DEVICE_ROW", "mps", 1);
  const Capabilities row = capabilities_of(schema::DeviceKind::cuda);
  ::unsetenv("MPSBENCH_DEVICE_ROW");
  EXPECT_FALSE(row.events);
  EXPECT_FALSE(row.graphs);
}

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
