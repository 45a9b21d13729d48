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
  const Published back = tests::expect_round_trip(full_published(), read_published);
  EXPECT_EQ(back.figures.at("total_minutes"), 51.44);
  tests::expect_exact_keys(reparsed(to_json(full_published())), read_published, {}, {"/figures"});
  Published bare;
  bare.source = "a chart";
  EXPECT_FALSE(tests::expect_round_trip(bare, read_published).speed_up);
}

TEST(Published, RefusesCautionsThatNobodyKnows) {
  const nlohmann::json good = reparsed(to_json(full_published()));
  EXPECT_EQ(refusal(with(good, "/cautions/1", "odd"), read_published),
            "f.json: $.cautions[1]: unknown caution odd");
  EXPECT_TRUE(
      tests::contains(refusal(with(good, "/speed_up", 0), read_published), "f.json: $.speed_up: expected"));
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
