#include "benchmark_words.hpp"

#include "support/errors.hpp"
#include "support/scratch.hpp"

#include <gtest/gtest.h>

namespace mpsbench::ops {
namespace {

using Words = std::vector<std::string>;
using tests::usage_error_of;

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
