#include "device/libtorch_errors.hpp"

#include <gtest/gtest.h>

namespace mpsbench::device {

namespace {

// The wording of LibTorch's MPSFallback.mm.
void fall_back(const std::string& name) {
  TORCH_WARN_ONCE("The operator '", name, "' is not currently supported on the MPS backend and will fall back ",
                  "to run on the CPU. This may have performance implications.");
}

TEST(CpuFallbackWatch, CountsEachOperatorOnce) {
  CpuFallbackWatch watch;
  EXPECT_EQ(watch.operators(), 0);
  for (const char* name : {"aten::unique", "aten::sort", "aten::unique"}) fall_back(name);
  EXPECT_EQ(watch.operators(), 2);
}

TEST(CpuFallbackWatch, PassesOtherWarningsOn) {
  testing::internal::CaptureStderr();
  CpuFallbackWatch watch;
  TORCH_WARN("The operator 'aten::x' is slow");
  EXPECT_NE(testing::internal::GetCapturedStderr().find("is slow"), std::string::npos);
  EXPECT_EQ(watch.operators(), 0);
}

TEST(CpuFallbackWatch, LeavesLibTorchAsItWas) {
  c10::WarningHandler* before = c10::WarningUtils::get_warning_handler();
  {
    const CpuFallbackWatch watch;
  }
  EXPECT_EQ(c10::WarningUtils::get_warning_handler(), before);
  EXPECT_FALSE(c10::WarningUtils::get_warnAlways());
}

}  // namespace

}  // namespace mpsbench::device
