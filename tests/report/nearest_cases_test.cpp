#include "report/compare/nearest_cases.hpp"

#include "support/compared.hpp"

#include <gtest/gtest.h>

namespace mpsbench::report {
namespace {

using tests::compared_case;
using tests::compared_report;

ComparedReport report_of(const std::vector<std::string>& ids) {
  std::vector<ComparedCase> cases;
  for (const std::string& id : ids) cases.push_back(compared_case(id, {1}));
  return compared_report("a", cases);
}

TEST(NearestCases, DifferLeast) {
  const ComparedReport mine = report_of(
      {"mlp/train/cpu/b64/fp32/eager/synthetic", "lenet5/train/cpu/b64/fp32/eager/synthetic+threads=1"});
  const ComparedReport theirs =
      report_of({"vgg16/train/cuda/b64/fp32/eager/synthetic", "lenet5/infer/cuda/b64/fp32/eager/synthetic",
                 "lenet5/train/cuda/b8/bf16/eager/synthetic+channels-last=true"});
  const auto nearest = nearest_cases(mine, theirs).value();
  EXPECT_EQ(nearest.one, &mine.cases[1]);
  EXPECT_EQ(nearest.other, &theirs.cases[2]) << "the same network and mode count more than the rest";
  EXPECT_EQ(nearest.differences, (std::vector<std::string>{"batch size 64 and 8", "precision fp32 and bf16",
                                                           "channels-last none and true"}));
}

TEST(NearestCases, NeedACase) {
  EXPECT_FALSE(nearest_cases(report_of({}), report_of({"mlp/train/cpu/b64/fp32/eager/synthetic"})));
}

TEST(NearestCases, OfForeignIdsDoNotFail) {
  EXPECT_TRUE(nearest_cases(report_of({"x/y/cpu/b1"}), report_of({"x/y/cpu/b2/+=+a=+/"})));
}

}  // namespace
}  // namespace mpsbench::report
