#include "schema/gate_info.hpp"

#include "schema/round_trip.hpp"
#include "schema/samples.hpp"

#include <algorithm>

namespace mpsbench::schema {
namespace {

using tests::contains;
using tests::json;
using tests::refusal;
using tests::reparsed;
using tests::with;

GateInfo full_gate() {
  return tests::full_run().gate.value();
}

TEST(GateInfo, GoesThroughJson) {
  EXPECT_EQ(tests::expect_round_trip(full_gate(), read_gate_info), full_gate());
  GateInfo versus = full_gate();
  versus.baseline.reset();
  EXPECT_EQ(tests::expect_round_trip(versus, read_gate_info), versus);
}

TEST(GateInfo, HasExactlyItsKeys) {
  tests::expect_exact_keys(reparsed(to_json(full_gate())), read_gate_info);
}

TEST(GateInfo, NamesThePathOfWhatIsWrong) {
  const json good = reparsed(to_json(full_gate()));
  for (const char* pointer : {"/alpha", "/budget_seconds", "/fail_on_regression", "/fail_on_undecided",
                              "/force", "/is_extended", "/baseline/path"}) {
    std::string path = pointer;
    std::replace(path.begin(), path.end(), '/', '.');
    const std::string message = refusal(with(good, pointer, nullptr), read_gate_info);
    EXPECT_TRUE(contains(message, "f.json: $" + path + ": expected")) << message;
  }
  EXPECT_TRUE(
      contains(refusal(with(good, "/baseline/sha256", "abc"), read_gate_info), "64 hexadecimal digits"));
  EXPECT_TRUE(contains(refusal(with(good, "/baseline/sha256", std::string(64, 'G')), read_gate_info),
                       "64 hexadecimal digits"));
  EXPECT_TRUE(contains(refusal(with(good, "/alpha", 0), read_gate_info), "$.alpha: "));
  EXPECT_TRUE(contains(refusal(with(good, "/budget_seconds", -1), read_gate_info), "$.budget_seconds: "));
}

}  // namespace
}  // namespace mpsbench::schema
