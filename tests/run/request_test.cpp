#include "run/plan/request.hpp"

#include "suite/support.hpp"
#include "support/scratch.hpp"

namespace mpsbench::run {
namespace {

TEST(Request, LaysTheOptionsOverEachMatrix) {
  const tests::Scratch scratch;
  const std::string a = scratch.write("a.json", R"({"name": "a", "repeats": 2, "strict": true, "matrices": [
      {"model": "mlp", "repeats": 4}, {"model": "lenet5"}]})");
  const std::string b = scratch.write("b.json", R"({"name": "b", "matrices": [{"model": "vgg16"}]})");
  const RunRequest request = read_request(tests::project_catalog(), {a, b}, tests::settings_of({{"batch-size", "7"}}));
  EXPECT_EQ(request.title, "a+b");
  ASSERT_EQ(request.matrices.size(), 3U);
  EXPECT_EQ(request.matrices[0].repeats.value(), 4);
  EXPECT_EQ(request.matrices[1].repeats.value(), 2);
  EXPECT_FALSE(request.matrices[2].repeats.has());
  for (const suite::Settings& matrix : request.matrices)
    EXPECT_EQ(matrix.batch_sizes.value().everywhere.sizes, std::vector<std::int64_t>{7});
  EXPECT_TRUE(request.settings.strict.is_on());
  EXPECT_EQ(
      read_request(tests::project_catalog(), {a}, tests::settings_of({{"repeats", "9"}})).matrices[0].repeats.value(),
      9);
}

TEST(Request, OfSeveralSuitesHasNoneOfTheirTimeLimits) {
  const tests::Scratch scratch;
  const std::string a = scratch.write("a.json", R"({"name": "a", "time-limit": "2m", "matrices": [{"model": "mlp"}]})");
  const std::string b = scratch.write("b.json", R"({"name": "b", "matrices": [{"model": "vgg16"}]})");
  EXPECT_EQ(read_request(tests::project_catalog(), {a}, {}).settings.time_limit_seconds.optional(), 120);
  EXPECT_FALSE(read_request(tests::project_catalog(), {a, b}, {}).settings.time_limit_seconds.has());
  EXPECT_EQ(read_request(tests::project_catalog(), {a, b}, tests::settings_of({{"time-limit", "5m"}}))
                .settings.time_limit_seconds.value(),
            300);
}

TEST(Request, OfAModelAloneIsOneMatrix) {
  const RunRequest request =
      read_request(tests::project_catalog(), {}, tests::settings_of({{"model", "mlp"}, {"seed", "3"}}));
  EXPECT_EQ(request.title, "adhoc");
  ASSERT_EQ(request.matrices.size(), 1U);
  EXPECT_EQ(request.matrices[0].of(&schema::CaseSpec::seed).value(), 3);
}

TEST(Request, OfNothingHasNoMatrix) {
  EXPECT_TRUE(read_request(tests::project_catalog(), {}, tests::settings_of({{"resume", "a.jsonl"}})).matrices.empty());
}

}  // namespace
}  // namespace mpsbench::run
