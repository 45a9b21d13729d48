#include "device/device.hpp"

#include "base/error.hpp"
#include "device/kinds.hpp"
#include "device/probe.hpp"

#include <gtest/gtest.h>

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
    try {
      (void)Device::open(status.device);
      FAIL() << to_string(status.device);
    } catch (const base::Error& error) {
      EXPECT_EQ(error.kind(), base::ErrorKind::no_device);
      EXPECT_EQ(error.what(), status.reason);
    }
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

}  // namespace
}  // namespace mpsbench::device
