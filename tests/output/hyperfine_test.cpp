#include "output/export/hyperfine.hpp"

#include "support/exported.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace mpsbench::output {
namespace {

TEST(Hyperfine, Golden) {
  EXPECT_EQ(to_hyperfine(tests::exported_report()), R"({
 "results": [
  {
   "command": "mlp/train/cpu/b64/fp32/eager/synthetic",
   "mean": 0.375,
   "stddev": 0.1767766952966369,
   "median": 0.375,
   "user": 0.0,
   "system": 0.0,
   "min": 0.25,
   "max": 0.5,
   "times": [
    0.25,
    0.5
   ],
   "memory_usage_byte": [
    400000000,
    400000001
   ],
   "exit_codes": [
    0,
    0
   ],
   "parameters": {
    "batch_size": "64"
   }
  }
 ]
}
)");
}

TEST(Hyperfine, LeavesOutWhatIsNotKnown) {
  schema::Report report = tests::exported_report();
  report.cases[0].launches.pop_back();
  report.cases[0].launches[0].peak_resident_bytes.reset();
  const nlohmann::json document = nlohmann::json::parse(to_hyperfine(report));
  const nlohmann::json& entry = document.at("results").at(0);
  EXPECT_TRUE(entry.at("stddev").is_null());
  EXPECT_FALSE(entry.contains("memory_usage_byte"));
  EXPECT_EQ(entry.at("exit_codes"), nlohmann::json{0});
}

TEST(Hyperfine, HostileNames) {
  const std::string text = to_hyperfine(tests::hostile_report());
  EXPECT_TRUE(tests::is_harmless(text));
  const nlohmann::json document = nlohmann::json::parse(text);
  EXPECT_TRUE(tests::is_harmless(document.at("results").at(0).at("command").get<std::string>()));
}

}  // namespace
}  // namespace mpsbench::output
