#include "suite/host.hpp"

#include "suite/support.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace mpsbench::suite {

namespace {

using tests::devices_here;
using Names = std::vector<std::string>;

// Returns the error message for NAME.
std::string device_refusal(const std::string& name) {
  return tests::usage_error_of([&] { (void)parse_device(name); });
}

TEST(DeviceNames, AreAClosedSet) {
  EXPECT_EQ(parse_device("auto").kind, DeviceChoice::Kind::automatic);
  EXPECT_EQ(parse_device("all").kind, DeviceChoice::Kind::all);
  for (const char* name : {"cpu", "mps", "cuda", "cuda:0", "cuda:9", "cuda:127", "mps:0"}) {
    EXPECT_EQ(parse_device(name).kind, DeviceChoice::Kind::one) << name;
    EXPECT_EQ(parse_device(name).device, schema::DeviceId::parse(name)) << name;
  }
}

TEST(DeviceNames, RefuseIndicesThatDoNotExist) {
  for (const char* name : {"cuda:128", "cuda:01", "cuda:", "cuda:-1", "cuda:+1", "cuda:x", "cuda:1 ", "cuda:0x1",
                           "cuda:99999999999999999999"}) {
    EXPECT_EQ(device_refusal(name), "'" + std::string(name) + "': expected cuda:0 to cuda:127");
  }
}

TEST(DeviceNames, SuggestTheNearest) {
  EXPECT_EQ(device_refusal("gpu"),
            "unknown device 'gpu' (Apple's GPU is mps, NVIDIA's is cuda); known: auto, cpu, mps, cuda, cuda:N, all");
  EXPECT_EQ(device_refusal("tensor"), "unknown device 'tensor'; known: auto, cpu, mps, cuda, cuda:N, all");
  EXPECT_EQ(device_refusal(""), "must not be empty; known: auto, cpu, mps, cuda, cuda:N, all");
  for (const char* name : {"CPU", "mps:1", "cpu:0", "cuda0", " cpu"}) EXPECT_NE(device_refusal(name), "") << name;
}

Names resolve(const Names& names, const Names& here) {
  std::vector<DeviceChoice> choices;
  for (const std::string& name : names) choices.push_back(parse_device(name));
  Names resolved;
  for (const schema::DeviceId& device : resolve_devices(choices, devices_here(here)))
    resolved.push_back(to_string(device));
  return resolved;
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
  EXPECT_EQ(resolve_devices({parse_device("cpu"), parse_device("cuda:0")}, nobody_may_ask),
            (std::vector<schema::DeviceId>{"cpu", "cuda"}));
  schema::CaseSpec spec;
  spec.device = "cpu";
  for (const schema::Precision everywhere :
       {schema::Precision::fp32, schema::Precision::bf16, schema::Precision::fp16}) {
    spec.precision = everywhere;
    EXPECT_EQ(why_unsupported(spec, nobody_may_ask), "") << to_string(everywhere);
  }
}

using schema::Engine;
using schema::Precision;

schema::CaseSpec spec_of(const schema::DeviceId& device, Precision precision, Engine engine) {
  schema::CaseSpec spec;
  spec.device = device;
  spec.precision = precision;
  spec.engine = engine;
  return spec;
}

std::string why(const schema::DeviceId& device, Precision precision = Precision::fp32, Engine engine = Engine::eager) {
  return why_unsupported(spec_of(device, precision, engine), devices_here({"cpu", "cuda"}));
}

TEST(DeviceNames, SayWhichDeviceIsNotHere) {
  EXPECT_EQ(why("cpu"), "");
  EXPECT_EQ(why("mps"), "mps device not found");
  EXPECT_EQ(why("cuda:3"), "device 'cuda:3' not found; see `mpsbench list devices`");
}

TEST(DeviceNames, RefuseNothingThatAnOlderWorkerDoesNotSpeakOf) {
  EXPECT_EQ(why("cpu", Precision::tf32), "");
  EXPECT_EQ(why("cpu", Precision::fp32, Engine::graph), "");
}

TEST(DeviceNames, RefuseWhatTheWorkerSaysTheDeviceLacks) {
  std::vector<schema::DeviceStatus> told{{.device = "cpu", .built_in = true, .usable = true}};
  told[0].precisions = {{Precision::fp32, ""}, {Precision::tf32, "no tf32"}, {Precision::bf16, ""}};
  told[0].engines = {{Engine::eager, ""}, {Engine::graph, "no graphs"}};
  const DeviceList devices = [&told]() -> const std::vector<schema::DeviceStatus>& { return told; };
  const auto reason = [&](Precision precision, Engine engine) {
    return why_unsupported(spec_of("cpu", precision, engine), devices);
  };
  EXPECT_EQ(reason(Precision::bf16, Engine::eager), "");
  EXPECT_EQ(reason(Precision::tf32, Engine::eager), "no tf32");
  EXPECT_EQ(reason(Precision::fp32, Engine::graph), "no graphs");
  EXPECT_EQ(reason(Precision::tf32, Engine::graph), "no tf32");
}

TEST(DeviceNames, RefuseAGraphOfBatchesThatDifferInLength) {
  schema::CaseSpec spec;
  spec.device = "cuda";
  spec.engine = schema::Engine::graph;
  spec.pad = schema::Pad::max;
  EXPECT_EQ(why_unsupported(spec, devices_here({"cpu", "cuda"})), "");
  spec.pad = schema::Pad::longest;
  EXPECT_NE(why_unsupported(spec, devices_here({"cpu", "cuda"})).find("use --pad max"), std::string::npos);
}

TEST(DeviceNames, OfAKindThatIsNotHereHaveItsReason) {
  schema::CaseSpec spec;
  spec.device = "cuda:3";
  EXPECT_EQ(why_unsupported(spec, devices_here({"cpu"})), "cuda device not found");
}

const Cpus kCpus{{0, 1, 5}, [](const std::vector<int>& cpus) { return std::ssize(cpus); }};

TEST(Affinity, NeedsCpusThatThisProcessMayUse) {
  EXPECT_EQ(why_unusable("0-1,5", kCpus), "");
  EXPECT_EQ(why_unusable("1-3", kCpus), "CPU 2 cannot be used here; choose from 0-1,5");
  EXPECT_EQ(why_unusable("0", {{}, kCpus.cores}), "this system cannot bind a program to CPUs; leave --affinity out");
  EXPECT_EQ(cores_of("0,5", kCpus), 2);
}

}  // namespace

}  // namespace mpsbench::suite
