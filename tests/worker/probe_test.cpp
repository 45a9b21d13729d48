#include "worker/probe.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace mpsbench::worker {
namespace {

using schema::DeviceKind;
using schema::DeviceStatus;

template <typename Enum>
std::string reason_of(const std::vector<schema::Offer<Enum>>& offers, Enum value) {
  for (const auto& offer : offers) {
    if (offer.value == value) return offer.reason;
  }
  return "not told";
}

TEST(Probe, SaysWhatTheCpuCanRunAndWhyNotTheRest) {
  const std::vector<DeviceStatus> devices = probe();
  ASSERT_FALSE(devices.empty());
  const DeviceStatus& cpu = devices.front();
  EXPECT_EQ(cpu.device, schema::DeviceId(DeviceKind::cpu));
  EXPECT_TRUE(cpu.usable) << cpu.reason;
  EXPECT_EQ(cpu.unified_memory, true);
  EXPECT_EQ(reason_of(cpu.precisions, schema::Precision::bf16), "");
  EXPECT_EQ(reason_of(cpu.precisions, schema::Precision::tf32),
            "only NVIDIA's GPUs compute in tf32; use --precision fp32 on cpu");
  EXPECT_EQ(reason_of(cpu.engines, schema::Engine::eager), "");
  EXPECT_EQ(reason_of(cpu.engines, schema::Engine::graph),
            "--engine graph replays CUDA graphs, which cpu does not have; use --engine eager");
}

TEST(Probe, NamesEveryKind) {
  const std::vector<DeviceStatus> devices = probe();
  for (const schema::DeviceKindRow& row : schema::ClosedSet<DeviceKind>::kRows) {
    EXPECT_TRUE(std::any_of(devices.begin(), devices.end(), [&](const DeviceStatus& status) {
      return status.device.kind == row.value;
    })) << row.name;
  }
}

}  // namespace
}  // namespace mpsbench::worker
