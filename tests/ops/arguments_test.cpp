#include "arguments.hpp"

#include "suite/host.hpp"
#include "support/errors.hpp"

#include <gtest/gtest.h>

namespace mpsbench::ops {
namespace {

using Words = std::vector<std::string>;

std::vector<suite::DeviceChoice> devices(const Words& names) {
  std::vector<suite::DeviceChoice> choices;
  for (const std::string& name : names) choices.push_back(suite::parse_device(name));
  return choices;
}

TEST(Arguments, OwnOptionsAreTakenOutAndTheOthersKeepTheirOrder) {
  const Arguments given = parse_arguments(
      {"--benchmark_filter=x", "--device", "cpu,cuda:1", "--threads=3", "--benchmark_format=json", "-x"});
  EXPECT_EQ(given.devices, devices({"cpu", "cuda:1"}));
  EXPECT_EQ(given.threads, 3);
  EXPECT_EQ(given.others, (Words{"--benchmark_filter=x", "--benchmark_format=json", "-x"}));
  EXPECT_FALSE(given.help);
}

TEST(Arguments, EveryUsableDeviceByDefault) {
  const Arguments none = parse_arguments({});
  EXPECT_EQ(none.devices, devices({"all"}));
  EXPECT_FALSE(none.threads);
}

TEST(Arguments, TheLastWordHolds) {
  const Arguments given = parse_arguments({"--threads", "4", "-d", "mps", "--threads", "2", "--device=cpu"});
  EXPECT_EQ(given.threads, 2);
  EXPECT_EQ(given.devices, devices({"cpu"}));
}

TEST(Arguments, FilterIsARegularExpression) {
  EXPECT_EQ(parse_arguments({"--filter", "^matmul/.*/fp32"}).filter, "^matmul/.*/fp32");
  EXPECT_EQ(parse_arguments({"--filter=a|b"}).filter, "a|b");
  EXPECT_FALSE(parse_arguments({}).filter);
  for (const char* text : {"(", "", "[z-a]", "*"}) {
    EXPECT_TRUE(tests::usage_error_of([&] { (void)parse_arguments({"--filter", text}); }).starts_with("--filter: "))
        << text;
  }
}

TEST(Arguments, Help) {
  EXPECT_TRUE(parse_arguments({"--help"}).help);
  EXPECT_TRUE(parse_arguments({"--benchmark_filter=x", "-h"}).help);
}

TEST(Arguments, ErrorsNameTheOption) {
  for (const Words& words : {Words{"--device"}, Words{"--device="}, Words{"--device", "gpu"}, Words{"--device", "cpu,"},
                             Words{"--device=cuda:128"}}) {
    EXPECT_EQ(tests::usage_error_of([&] { (void)parse_arguments(words); }).rfind("--device: ", 0), 0U) << words[0];
  }
  for (const char* text : {"0", "-1", "two", "", "4097", "1.5"}) {
    EXPECT_EQ(tests::usage_error_of([&] { (void)parse_arguments({"--threads", text}); }).rfind("--threads: ", 0), 0U)
        << text;
  }
}

}  // namespace
}  // namespace mpsbench::ops
