#include "arguments.hpp"

#include "suite/host.hpp"
#include "support/errors.hpp"
#include "support/scratch.hpp"

#include <gtest/gtest.h>

namespace mpsbench::ops {
namespace {

using Words = std::vector<std::string>;
using tests::usage_error_of;

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

TEST(Arguments, TheLastWordHoldsAndEveryUsableDeviceByDefault) {
  EXPECT_EQ(parse_arguments({}).devices, devices({"all"}));
  EXPECT_FALSE(parse_arguments({}).threads);
  const Arguments given = parse_arguments({"--threads", "4", "-d", "mps", "--threads", "2", "--device=cpu"});
  EXPECT_EQ(given.threads, 2);
  EXPECT_EQ(given.devices, devices({"cpu"}));
}

TEST(Arguments, FilterIsARegularExpression) {
  EXPECT_EQ(parse_arguments({"--filter", "^matmul/.*/fp32"}).filter, "^matmul/.*/fp32");
  EXPECT_EQ(parse_arguments({"--filter=a|b"}).filter, "a|b");
  EXPECT_FALSE(parse_arguments({}).filter);
  for (const char* text : {"(", "", "[z-a]", "*"}) {
    EXPECT_TRUE(usage_error_of([&] { (void)parse_arguments({"--filter", text}); }).starts_with("--filter: ")) << text;
  }
}

TEST(Arguments, Help) {
  EXPECT_TRUE(parse_arguments({"--help"}).help);
  EXPECT_TRUE(parse_arguments({"--benchmark_filter=x", "-h"}).help);
}

TEST(Arguments, ErrorsNameTheOption) {
  for (const Words& words : {Words{"--device"}, Words{"--device="}, Words{"--device", "gpu"}, Words{"--device", "cpu,"},
                             Words{"--device=cuda:128"}}) {
    EXPECT_EQ(usage_error_of([&] { (void)parse_arguments(words); }).rfind("--device: ", 0), 0U) << words[0];
  }
  for (const char* text : {"0", "-1", "two", "", "4097", "1.5"}) {
    EXPECT_EQ(usage_error_of([&] { (void)parse_arguments({"--threads", text}); }).rfind("--threads: ", 0), 0U) << text;
  }
}

TEST(BenchmarkWords, TakesTheShortestTimeWithAndWithoutAUnit) {
  const std::string here = std::string("--benchmark_min_time=0.02") + MPSBENCH_TIME_UNIT;
  EXPECT_EQ(benchmark_words({"x", "--benchmark_min_time=0.02s"}), (Words{"x", here}));
  EXPECT_EQ(benchmark_words({"x", "--benchmark_min_time=0.02"}), (Words{"x", here}));
  for (const char* word : {"--benchmark_min_time=100x", "--benchmark_min_time=fast", "--benchmark_min_time"})
    EXPECT_EQ(benchmark_words({word}), Words{word});
}

TEST(BenchmarkWords, RefusesValuesThatWouldEndTheProgram) {
  EXPECT_EQ(usage_error_of([] { (void)benchmark_words({"--benchmark_format=tabular"}); }),
            "--benchmark_format: unknown value 'tabular'; known: console, json, csv");
  EXPECT_EQ(usage_error_of([] { (void)benchmark_words({"--benchmark_out_format="}); }),
            "--benchmark_out_format: unknown value ''; known: console, json, csv");
  EXPECT_EQ(usage_error_of([] { (void)benchmark_words({"--benchmark_time_unit=h"}); }),
            "--benchmark_time_unit: unknown value 'h'; known: ns, us, ms, s");
  EXPECT_TRUE(tests::contains(usage_error_of([] { (void)benchmark_words({"--benchmark_out=/dev/null/x"}); }),
                              "choose another place with --benchmark_out"));
}

TEST(BenchmarkWords, LeavesTheOthersAlone) {
  const tests::Scratch scratch;
  const Words words{"--benchmark_filter=a=b", "-x", "--benchmark_format=json",
                    "--benchmark_out=" + (scratch.root() / "o.json").string()};
  EXPECT_EQ(benchmark_words(words), words);
}

}  // namespace
}  // namespace mpsbench::ops
