#include "schema/gate.hpp"
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
  EXPECT_EQ(tests::expect_round_trip(full_gate(), from_json<GateInfo>), full_gate());
  GateInfo versus = full_gate();
  versus.baseline.reset();
  EXPECT_EQ(tests::expect_round_trip(versus, from_json<GateInfo>), versus);
}

TEST(GateInfo, HasExactlyItsKeys) {
  tests::expect_exact_keys(reparsed(to_json(full_gate())), from_json<GateInfo>);
}

TEST(GateInfo, NamesThePathOfWhatIsWrong) {
  const json good = reparsed(to_json(full_gate()));
  for (const char* pointer : {"/alpha", "/budget_seconds", "/fail_on_regression", "/fail_on_undecided", "/force",
                              "/is_extended", "/baseline/path"}) {
    std::string path = pointer;
    std::replace(path.begin(), path.end(), '/', '.');
    const std::string message = refusal(with(good, pointer, nullptr), from_json<GateInfo>);
    EXPECT_TRUE(contains(message, "f.json: $" + path + ": expected")) << message;
  }
  EXPECT_TRUE(contains(refusal(with(good, "/baseline/sha256", "abc"), from_json<GateInfo>), "64 hexadecimal digits"));
  EXPECT_TRUE(contains(refusal(with(good, "/baseline/sha256", std::string(64, 'G')), from_json<GateInfo>),
                       "64 hexadecimal digits"));
  EXPECT_TRUE(contains(refusal(with(good, "/alpha", 0), from_json<GateInfo>), "$.alpha: "));
  EXPECT_TRUE(contains(refusal(with(good, "/budget_seconds", -1), from_json<GateInfo>), "$.budget_seconds: "));
}

}  // namespace
}  // namespace mpsbench::schema
