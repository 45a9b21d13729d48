#include "suite/device_names.hpp"

#include <gtest/gtest.h>

namespace mpsbench::suite {
namespace {

using Names = std::vector<std::string>;

TEST(DeviceNames, AreAClosedSet) {
  for (const char* name : {"auto", "cpu", "mps", "cuda", "cuda:0", "cuda:9", "cuda:127", "all"}) {
    EXPECT_EQ(check_device_name(name), "") << name;
  }
}

TEST(DeviceNames, RefuseIndicesThatDoNotExist) {
  for (const char* name : {"cuda:128", "cuda:01", "cuda:", "cuda:-1", "cuda:+1", "cuda:x", "cuda:1 ",
                           "cuda:0x1", "cuda:99999999999999999999"}) {
    EXPECT_EQ(check_device_name(name), "'" + std::string(name) + "': expected cuda:0 to cuda:127");
  }
}

TEST(DeviceNames, SuggestTheNearest) {
  EXPECT_EQ(check_device_name("gpu"),
            "unknown device 'gpu' (did you mean 'cpu'?); known: auto, cpu, mps, cuda, cuda:N, all");
  EXPECT_EQ(check_device_name("tensor"), "unknown device 'tensor'; known: auto, cpu, mps, cuda, cuda:N, all");
  for (const char* name : {"", "CPU", "mps:0", "cpu:0", "cuda0", " cpu"})
    EXPECT_NE(check_device_name(name), "") << name;
}

TEST(DeviceNames, ResolveToEachDeviceOnce) {
  EXPECT_EQ(resolve_devices({"auto"}), (Names{"cpu"}));
  EXPECT_EQ(resolve_devices({"all"}), (Names{"cpu"}));
  EXPECT_EQ(resolve_devices({"cuda:1", "auto", "cpu", "cuda:1"}), (Names{"cuda:1", "cpu"}));
}

TEST(DeviceNames, SayWhatCannotBeMeasured) {
  EXPECT_EQ(why_unsupported("cpu"), "");
  EXPECT_EQ(why_unsupported("mps"), "MPS devices are not measured by this version; use --device cpu");
  EXPECT_EQ(why_unsupported("cuda:3"), "CUDA devices are not measured by this version; use --device cpu");
}

}  // namespace
}  // namespace mpsbench::suite
