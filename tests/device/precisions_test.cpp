#include "base/error.hpp"
#include "device/kinds.hpp"

#include <gtest/gtest.h>

namespace mpsbench::device {
namespace {

using schema::DeviceKind;
using schema::Precision;

TEST(Precisions, Tf32IsOfCudaAlone) {
  EXPECT_EQ(why_no_precision(DeviceKind::cuda, Precision::tf32), "");
  EXPECT_EQ(why_no_precision(DeviceKind::mps, Precision::tf32),
            "only NVIDIA's GPUs compute in tf32; use --precision fp32 on mps");
}

TEST(Precisions, EveryDeviceHasTheOthers) {
  for (const DeviceKind kind : {DeviceKind::cpu, DeviceKind::mps, DeviceKind::cuda}) {
    for (const Precision precision : {Precision::fp32, Precision::bf16, Precision::fp16})
      EXPECT_NO_THROW(require_precision(kind, precision)) << to_string(kind) << to_string(precision);
  }
}

TEST(Precisions, WhatIsMissingIsUnsupported) {
  try {
    require_precision(DeviceKind::cpu, Precision::tf32);
    FAIL();
  } catch (const base::Error& error) {
    EXPECT_EQ(error.kind(), base::ErrorKind::no_device);
  }
}

}  // namespace
}  // namespace mpsbench::device
