#include "output/page/page_scaling.hpp"

#include "support/errors.hpp"
#include "support/paged.hpp"

#include <gtest/gtest.h>

namespace mpsbench::output {
namespace {

using tests::contains;
using tests::count_of;

schema::CaseResult case_on_gpus(std::int64_t ranks, double seconds, std::int64_t batch_size = 64) {
  schema::CaseResult result = tests::timed_case(batch_size, seconds);
  result.spec.device = "cuda";
  result.spec.ranks = ranks;
  if (ranks > 1) {
    result.id += "+gpus=" + std::to_string(ranks);
  }
  tests::set_rate(result);
  return result;
}

std::string scaling_of(const std::vector<schema::CaseResult>& cases) {
  const std::vector<schema::Report> reports{tests::paged_report(cases)};
  return scaling_section(page_reports(reports));
}

TEST(ScalingSection, DrawsRowsPerSecondAgainstTheIdeal) {
  const std::string text = scaling_of({case_on_gpus(1, 0.1), case_on_gpus(4, 0.125), case_on_gpus(2, 0.11)});
  EXPECT_EQ(count_of(text, "<figure><figcaption>mlp, train on several GPUs: rows per second</figcaption>"),
            1U)
      << text;
  EXPECT_EQ(count_of(text, "class=\"line s0\""), 1U) << text;
  EXPECT_EQ(count_of(text, "class=\"ideal s0\""), 1U) << text;
  EXPECT_EQ(count_of(text, "class=\"whisker s0\""), 3U) << text;
  EXPECT_TRUE(contains(text, ", GPUs 4: 2,048 ±1.0 %</title>")) << text;
  EXPECT_TRUE(contains(text, "<th scope=\"row\">2</th><td class=\"r\">1,164 ±1.0 %</td>")) << text;
  for (const char* label : {">1</text>", ">2</text>", ">4</text>", ">GPUs</text>"})
    EXPECT_TRUE(contains(text, label)) << label;
}

TEST(ScalingSection, DrawsStrongScalingAsALineOfItsOwn) {
  schema::CaseResult strong = case_on_gpus(2, 0.06, 32);
  strong.spec.scaling = schema::Scaling::strong;
  strong.spec.bucket_bytes = 1 << 20;
  const std::string text = scaling_of({case_on_gpus(1, 0.1), case_on_gpus(2, 0.11), strong});
  EXPECT_EQ(count_of(text, "class=\"line "), 2U) << text;
  EXPECT_TRUE(contains(text, "b64 strong buckets 1MiB")) << text;
}

TEST(ScalingSection, NeedsOneProcessAndSeveral) {
  EXPECT_EQ(scaling_of({case_on_gpus(2, 0.1), case_on_gpus(4, 0.1)}), "");
  EXPECT_EQ(scaling_of({case_on_gpus(1, 0.1), case_on_gpus(2, 0.1, 32)}), "");
}

}  // namespace
}  // namespace mpsbench::output
