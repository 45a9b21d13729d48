#include "worker/main.hpp"

#include "worker/front.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <string>

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
  for (const schema::DeviceKindRow& row : schema::ClosedSet<DeviceKind>::kRows) {
    const auto is_one = [&](const DeviceStatus& status) { return status.device.kind == row.value; };
    EXPECT_TRUE(std::ranges::any_of(devices, is_one)) << row.name;
  }
}

#ifdef __linux__
TEST(ParentWatch, KnowsAFrontThatASignalHasStopped) {
  const pid_t front = ::fork();
  if (front == 0) {
    ::pause();
    ::_exit(0);
  }
  EXPECT_FALSE(is_front_stopped(front));
  ::kill(front, SIGSTOP);
  int status = 0;
  ::waitpid(front, &status, WUNTRACED);
  EXPECT_TRUE(WIFSTOPPED(status));
  EXPECT_TRUE(is_front_stopped(front));
  ::kill(front, SIGKILL);
  ::waitpid(front, &status, 0);
  EXPECT_FALSE(is_front_stopped(front));
}
#endif

}  // namespace
}  // namespace mpsbench::worker
