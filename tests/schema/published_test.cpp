#include "schema/published.hpp"

#include "schema/round_trip.hpp"
#include "schema/samples.hpp"

#include <fstream>
#include <sstream>

namespace mpsbench::schema {
namespace {

using tests::full_published;
using tests::refusal;
using tests::reparsed;
using tests::with;

TEST(Published, GoesThroughJson) {
  const Published back = tests::expect_round_trip(full_published(), from_json<Published>);
  EXPECT_EQ(back.figures.at("total_minutes"), 51.44);
  tests::expect_exact_keys(reparsed(to_json(full_published())), from_json<Published>, {}, {"/figures"});
  Published bare;
  bare.source = "a chart";
  EXPECT_FALSE(tests::expect_round_trip(bare, from_json<Published>).speed_up);
}

TEST(Published, RefusesCautionsThatNobodyKnows) {
  const nlohmann::json good = reparsed(to_json(full_published()));
  EXPECT_TRUE(tests::contains(refusal(with(good, "/cautions/1", "odd"), from_json<Published>),
                              "f.json: $.cautions[1]: expected mislabelled-workload or "));
  EXPECT_TRUE(
      tests::contains(refusal(with(good, "/speed_up", 0), from_json<Published>), "f.json: $.speed_up: expected"));
}

TEST(Published, IsOtherWorkByItsCautions) {
  Published published = full_published();
  EXPECT_TRUE(published.is_other_work());
  published.cautions = {"coarse-resolution", "diverged"};
  EXPECT_FALSE(published.is_other_work());
}

TEST(Cautions, StandInTheReadmeOfTheFigures) {
  std::ifstream file(MPSBENCH_SOURCE_DIR "/results/published/README.md");
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_TRUE(tests::contains(text.str(), "<!-- cautions -->\n" + caution_table() + "\n")) << caution_table();
}

}  // namespace
}  // namespace mpsbench::schema
