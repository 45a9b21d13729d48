#include "base/error.hpp"

#include <gtest/gtest.h>

#include <array>

namespace mpsbench::base {
namespace {

TEST(Error, KeepsKindAndMessage) {
  const Error error = usage_error("--batch-size: too large");
  EXPECT_EQ(error.kind(), ErrorKind::usage);
  EXPECT_STREQ(error.what(), "--batch-size: too large");
}

TEST(ExitCode, OfEveryKindIsTheDocumentedOne) {
  EXPECT_EQ(static_cast<int>(exit_code(ErrorKind::usage)), 2);
  EXPECT_EQ(static_cast<int>(exit_code(ErrorKind::no_device)), 3);
  EXPECT_EQ(static_cast<int>(exit_code(ErrorKind::not_comparable)), 4);
  EXPECT_EQ(static_cast<int>(exit_code(ErrorKind::incomplete)), 5);
  EXPECT_EQ(static_cast<int>(exit_code(ErrorKind::internal)), 5);
  EXPECT_EQ(static_cast<int>(exit_code(ErrorKind::interrupted)), 130);
}

TEST(ExitCode, WorseFollowsTheDocumentedOrder) {
  constexpr std::array kWorstFirst{130, 2, 3, 4, 1, 5, 0};
  for (std::size_t i = 0; i < kWorstFirst.size(); ++i) {
    for (std::size_t j = i; j < kWorstFirst.size(); ++j) {
      const auto worse_one = static_cast<ExitCode>(kWorstFirst[i]);
      const auto better_one = static_cast<ExitCode>(kWorstFirst[j]);
      EXPECT_EQ(worse(worse_one, better_one), worse_one) << kWorstFirst[i] << " " << kWorstFirst[j];
      EXPECT_EQ(worse(better_one, worse_one), worse_one) << kWorstFirst[i] << " " << kWorstFirst[j];
    }
  }
}

TEST(Excerpt, CutsOnlyWhatIsTooLong) {
  EXPECT_EQ(excerpt("abcde", 5), "abcde");
  EXPECT_EQ(excerpt("abcdef", 5), "abcde...");
  EXPECT_EQ(excerpt(std::string(1000, 'x')).size(), 203U);
}

TEST(Excerpt, StaysOnOneLine) {
  EXPECT_EQ(excerpt("a\nb\tc\x7f"
                    "d"),
            "a b c d");
}

}  // namespace
}  // namespace mpsbench::base
