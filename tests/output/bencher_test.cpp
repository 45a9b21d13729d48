#include "output/export/bencher.hpp"

#include "support/exported.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace mpsbench::output {
namespace {

TEST(Bencher, Golden) {
  EXPECT_EQ(to_bencher(tests::exported_report()), R"({
 "mlp/train/cpu/b64/fp32/eager/synthetic": {
  "latency": {
   "value": 375000000.0,
   "lower_value": 250000000.0,
   "upper_value": 500000000.0
  },
  "throughput": {
   "value": 192.0,
   "lower_value": 128.0,
   "upper_value": 256.0
  }
 }
}
)");
}

TEST(Bencher, HasNoBoundsWithoutAnInterval) {
  schema::Report report = tests::exported_report();
  report.cases[0].metrics.step_seconds.ci95.reset();
  report.cases[0].metrics.rows_per_second = {};
  EXPECT_EQ(nlohmann::json::parse(to_bencher(report)).front(),
            nlohmann::json({{"latency", {{"value", 375e6}}}}));
  EXPECT_EQ(to_bencher({}), "{}\n");
}

TEST(Bencher, HostileNames) {
  const std::string text = to_bencher(tests::hostile_report());
  EXPECT_TRUE(tests::is_harmless(text));
  EXPECT_EQ(nlohmann::json::parse(text).size(), 1U);
}

}  // namespace
}  // namespace mpsbench::output
