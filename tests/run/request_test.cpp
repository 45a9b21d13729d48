#include "run/request.hpp"

#include "support/scratch.hpp"

namespace mpsbench::run {
namespace {

suite::Settings settings_of(const std::vector<std::pair<std::string, std::string>>& texts) {
  suite::Settings settings;
  for (const auto& [name, text] : texts) settings.set(*suite::find_option(name), text, "--" + name);
  return settings;
}

const suite::Catalog kCatalog(MPSBENCH_SOURCE_DIR);

TEST(Request, LaysTheOptionsOverEachMatrix) {
  const tests::Scratch scratch;
  const std::string a = scratch.write("a.json", R"({"name": "a", "repeats": 2, "strict": true, "matrices": [
      {"model": "mlp", "repeats": 4}, {"model": "lenet5"}]})");
  const std::string b = scratch.write("b.json", R"({"name": "b", "matrices": [{"model": "vgg16"}]})");
  const Request request = read_request(kCatalog, {a, b}, settings_of({{"batch-size", "7"}}));
  EXPECT_EQ(request.title, "a+b");
  ASSERT_EQ(request.matrices.size(), 3U);
  EXPECT_EQ(request.matrices[0].count("repeats"), 4);
  EXPECT_EQ(request.matrices[1].count("repeats"), 2);
  EXPECT_FALSE(request.matrices[2].has("repeats"));
  for (const suite::Settings& matrix : request.matrices) EXPECT_EQ(matrix.text("batch-size"), "7");
  EXPECT_TRUE(request.settings.flag("strict"));
  EXPECT_EQ(read_request(kCatalog, {a}, settings_of({{"repeats", "9"}})).matrices[0].count("repeats"), 9);
}

TEST(Request, OfAModelAloneIsOneMatrix) {
  const Request request = read_request(kCatalog, {}, settings_of({{"model", "mlp"}, {"seed", "3"}}));
  EXPECT_EQ(request.title, "adhoc");
  ASSERT_EQ(request.matrices.size(), 1U);
  EXPECT_EQ(request.matrices[0].count("seed"), 3);
}

TEST(Request, OfNothingHasNoMatrix) {
  EXPECT_TRUE(read_request(kCatalog, {}, settings_of({{"resume", "a.jsonl"}})).matrices.empty());
}

}  // namespace
}  // namespace mpsbench::run
