#include "run/comparison_outcome.hpp"

#include "support/errors.hpp"

namespace mpsbench::run {
namespace {

using base::ExitCode;
using report::Verdict;

report::Comparison comparison_of(const std::vector<Verdict>& verdicts) {
  report::Comparison comparison;
  for (const Verdict verdict : verdicts) comparison.cases.emplace_back().verdict = verdict;
  return comparison;
}

TEST(ComparisonOutcome, FailsOnWhatItIsAskedTo) {
  const report::Comparison slower = comparison_of({Verdict::same, Verdict::slower});
  EXPECT_EQ(comparison_outcome(slower, {}), ExitCode::ok);
  EXPECT_EQ(comparison_outcome(slower, {.undecided = true}), ExitCode::ok);
  EXPECT_EQ(comparison_outcome(slower, {.regression = true}), ExitCode::regression);
  for (const Verdict verdict : {Verdict::undecided, Verdict::not_compared}) {
    const report::Comparison open = comparison_of({Verdict::faster, verdict});
    EXPECT_EQ(comparison_outcome(open, {.regression = true}), ExitCode::ok);
    EXPECT_EQ(comparison_outcome(open, {.undecided = true}), ExitCode::regression);
  }
}

TEST(ComparisonOutcome, OfNothingComparedIsNotComparable) {
  EXPECT_EQ(comparison_outcome(comparison_of({Verdict::not_compared}), {true, true}),
            ExitCode::not_comparable);
}

TEST(NotesOf, RefusesObstaclesUnlessForced) {
  EXPECT_EQ(notes_of({{}, {"a caveat"}}, false), std::vector<std::string>{"a caveat"});
  EXPECT_EQ(notes_of({{"other work"}, {"a caveat"}}, true),
            (std::vector<std::string>{"other work", "a caveat"}));
  const std::string message =
      tests::error_of(base::ErrorKind::not_comparable, [] { (void)notes_of({{"other work"}, {}}, false); });
  EXPECT_EQ(message, "the reports cannot be compared: other work; --force compares them anyway");
}

}  // namespace
}  // namespace mpsbench::run
