#include "suite/case_filter.hpp"

#include "base/error.hpp"

#include <gtest/gtest.h>

namespace mpsbench::suite {
namespace {

const std::string kId = "resnet18/train/cpu/b32/fp32/eager/synthetic+channels-last=true+threads=2";

bool matches(const std::string& pattern) {
  return passes(kId, case_filter(pattern));
}

TEST(CaseFilter, SearchesIds) {
  for (const char* pattern :
       {"", "^resnet", "train/(cpu|mps)", "b[0-9]+/", "\\bcpu\\b", "true.*2$", "(?:eager)"})
    EXPECT_TRUE(matches(pattern)) << pattern;
  for (const char* pattern : {"^train", "b64", "cuda", "2.$"}) EXPECT_FALSE(matches(pattern)) << pattern;
}

TEST(CaseFilter, RefusesWhatIsNone) {
  for (const char* pattern : {"(", "[a", "*", "a{2,1}"})
    EXPECT_THROW((void)case_filter(pattern), std::regex_error) << pattern;
}

// With backtracking, each of these would take far too long.
TEST(CaseFilter, EndsHoweverManyWaysThereAreToMatch) {
  for (const char* pattern :
       {"(((.*)*)*)*$x", "(a|b|c|.)*(a|b|.)*(.)*(.)*(.)*zzz", "(.*)*(.*)*(.*)*\\n", "(.?){60}.{60}$x"}) {
    try {
      EXPECT_FALSE(matches(pattern)) << pattern;
    } catch (const base::Error& error) {  // some libraries give up
      EXPECT_EQ(error.kind(), base::ErrorKind::usage);
    }
  }
}

}  // namespace
}  // namespace mpsbench::suite
