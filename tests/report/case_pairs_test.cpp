#include "report/compare/case_pairs.hpp"

#include "support/compared.hpp"

#include <gtest/gtest.h>

namespace mpsbench::report {
namespace {

using tests::compared_case;
using tests::compared_report;

std::vector<std::string> pairs_of(const std::vector<std::string>& before, const std::vector<std::string>& after) {
  const auto report_of = [](const std::vector<std::string>& ids) {
    std::vector<ComparedCase> cases;
    for (const std::string& id : ids) cases.push_back(compared_case("x/train/cpu/b1/s" + id, {1}));
    return compared_report("a", cases);
  };
  const ComparedReport old = report_of(before);
  const ComparedReport now = report_of(after);
  std::vector<std::string> texts;
  const auto option_of = [](const ComparedCase* one) {
    return one == nullptr ? "none" : one->id.substr(std::string("x/train/cpu/b1/s").size());
  };
  for (const CasePair& pair : case_pairs(old, now))
    texts.push_back(option_of(pair.before) + " " + option_of(pair.after));
  return texts;
}

using Texts = std::vector<std::string>;

TEST(CasePairs, AreOfEqualIdsFirst) {
  EXPECT_EQ(pairs_of({"", "+threads=1"}, {"+threads=1", ""}), (Texts{" ", "+threads=1 +threads=1"}));
}

TEST(CasePairs, AreOfTheOnlyCasesOfOneWork) {
  EXPECT_EQ(pairs_of({""}, {"+threads=1"}), Texts{" +threads=1"});
  EXPECT_EQ(pairs_of({"+affinity=0+seed=1"}, {"+interop-threads=2+seed=1+workers=4"}),
            Texts{"+affinity=0+seed=1 +interop-threads=2+seed=1+workers=4"});
  EXPECT_EQ(pairs_of({"", "+threads=1"}, {"", "+threads=2"}), (Texts{" ", "+threads=1 +threads=2"}));
}

TEST(CasePairs, LeaveOutWhatIsAmbiguousOrOtherWork) {
  EXPECT_EQ(pairs_of({""}, {"+threads=1", "+threads=2"}), (Texts{" none", "none +threads=1", "none +threads=2"}));
  EXPECT_EQ(pairs_of({""}, {"+seed=1"}), (Texts{" none", "none +seed=1"}));
}

}  // namespace
}  // namespace mpsbench::report
