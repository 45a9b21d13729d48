#include "suite/device_names.hpp"

#include "suite/support.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace mpsbench::suite {
namespace {

using tests::devices_here;
using Names = std::vector<std::string>;

TEST(DeviceNames, AreAClosedSet) {
  for (const char* name : {"auto", "cpu", "mps", "cuda", "cuda:0", "cuda:9", "cuda:127", "mps:0", "all"}) {
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
            "unknown device 'gpu' (Apple's GPU is mps, NVIDIA's is cuda); known: auto, cpu, mps, cuda, "
            "cuda:N, all");
  EXPECT_EQ(check_device_name("tensor"), "unknown device 'tensor'; known: auto, cpu, mps, cuda, cuda:N, all");
  for (const char* name : {"", "CPU", "mps:1", "cpu:0", "cuda0", " cpu"})
    EXPECT_NE(check_device_name(name), "") << name;
}

Names resolve(const Names& names, const Names& here) {
  return resolve_devices(names, devices_here(here));
}

TEST(DeviceNames, AutoTakesCudaThenMpsThenTheCpu) {
  EXPECT_EQ(resolve({"auto"}, {"cpu", "mps", "cuda"}), (Names{"cuda"}));
  EXPECT_EQ(resolve({"auto"}, {"cpu", "mps"}), (Names{"mps"}));
  EXPECT_EQ(resolve({"auto"}, {"cpu"}), (Names{"cpu"}));
}

TEST(DeviceNames, AllIsWhatIsUsable) {
  EXPECT_EQ(resolve({"all"}, {"cpu", "cuda", "cuda:1"}), (Names{"cpu", "cuda", "cuda:1"}));
  EXPECT_EQ(resolve({"all"}, {"cpu"}), (Names{"cpu"}));
}

TEST(DeviceNames, ResolveToEachDeviceOnceByItsOnlyName) {
  EXPECT_EQ(resolve({"cuda:1", "auto", "cpu", "cuda:1"}, {"cpu"}), (Names{"cuda:1", "cpu"}));
  EXPECT_EQ(resolve({"cuda:0", "cuda", "mps:0", "cuda:10"}, {"cpu"}), (Names{"cuda", "mps", "cuda:10"}));
}

TEST(DeviceNames, AskForTheDevicesOnlyWhenTheyMatter) {
  const DeviceList nobody_may_ask = []() -> const std::vector<schema::DeviceStatus>& {
    throw std::logic_error("asked");
  };
  EXPECT_EQ(resolve_devices({"cpu", "cuda:0"}, nobody_may_ask), (Names{"cpu", "cuda"}));
  schema::CaseSpec spec;
  spec.device = "cpu";
  EXPECT_EQ(why_unsupported(spec, nobody_may_ask), "");
}

std::string why(const std::string& device, const std::string& precision, const std::string& engine) {
  schema::CaseSpec spec;
  spec.device = device;
  spec.precision = precision;
  spec.engine = engine;
  return why_unsupported(spec, devices_here({"cpu", "cuda"}));
}

TEST(DeviceNames, SayWhatCannotBeMeasured) {
  EXPECT_EQ(why("cpu", "bf16", "eager"), "");
  EXPECT_EQ(why("cuda", "tf32", "graph"), "");
  EXPECT_EQ(why("mps", "fp32", "eager"), "mps device not found");
  EXPECT_EQ(why("cuda:3", "fp32", "eager"), "device 'cuda:3' not found; see `mpsbench list devices`");
  EXPECT_EQ(why("cpu", "tf32", "eager"), "tf32 is a precision of NVIDIA's GPUs; use --precision fp32 on cpu");
  EXPECT_EQ(why("cpu", "fp32", "graph"),
            "--engine graph replays CUDA graphs, which cpu does not have; use --engine eager");
}

TEST(DeviceNames, RefuseAGraphOfBatchesThatDifferInLength) {
  schema::CaseSpec spec;
  spec.device = "cuda";
  spec.engine = "graph";
  spec.pad = "max";
  EXPECT_EQ(why_unsupported(spec, devices_here({"cpu", "cuda"})), "");
  spec.pad = "longest";
  EXPECT_NE(why_unsupported(spec, devices_here({"cpu", "cuda"})).find("use --pad max"), std::string::npos);
}

TEST(DeviceNames, OfAKindThatIsNotHereHaveItsReason) {
  schema::CaseSpec spec;
  spec.device = "cuda:3";
  EXPECT_EQ(why_unsupported(spec, devices_here({"cpu"})), "cuda device not found");
}

}  // namespace
}  // namespace mpsbench::suite
