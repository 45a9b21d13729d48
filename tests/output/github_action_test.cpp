#include "output/export/github_action.hpp"

#include "support/exported.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace mpsbench::output {
namespace {

TEST(GithubAction, Golden) {
  EXPECT_EQ(to_github_action(tests::exported_report()), R"([
 {
  "name": "mlp/train/cpu/b64/fp32/eager/synthetic",
  "unit": "ms",
  "value": 375.0,
  "range": "±33 %",
  "extra": "launches: 2\nrows/s: 192.0\nnoisy"
 }
]
)");
}

TEST(GithubAction, HasNoRangeWithoutAnInterval) {
  schema::Report report = tests::exported_report();
  report.cases[0].metrics.step_seconds.ci95.reset();
  EXPECT_FALSE(nlohmann::json::parse(to_github_action(report)).at(0).contains("range"));
  EXPECT_EQ(to_github_action({}), "[]\n");
}

TEST(GithubAction, HostileNames) {
  const std::string text = to_github_action(tests::hostile_report());
  EXPECT_TRUE(tests::is_harmless(text));
  for (const nlohmann::json& entry : nlohmann::json::parse(text)) {
    EXPECT_TRUE(tests::is_harmless(entry.at("name").get<std::string>()));
    EXPECT_TRUE(tests::is_harmless(entry.at("extra").get<std::string>()));
  }
}

}  // namespace
}  // namespace mpsbench::output
