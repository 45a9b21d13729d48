#include "device/cuda_driver.hpp"

#include <gtest/gtest.h>

namespace mpsbench::device {
namespace {

TEST(CudaDriver, VersionsReadAsPeopleWriteThem) {
  EXPECT_EQ(cuda_version_text(13000), "13.0");
  EXPECT_EQ(cuda_version_text(12010), "12.1");
  EXPECT_EQ(cuda_version_text(12100), "12.10");
}

}  // namespace
}  // namespace mpsbench::device
