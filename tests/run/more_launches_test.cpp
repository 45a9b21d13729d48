#include "run/more_launches.hpp"

#include "support/sample_run.hpp"

#include <gtest/gtest.h>

namespace mpsbench::run {
namespace {

// Two cases with two launches of 4 s each. The second case also has 1 s of cooldown before a launch.
schema::RunRecord two_cases() {
  schema::RunRecord record = tests::sample_run(
      {tests::sample_spec("mlp", schema::Mode::train, 8), tests::sample_spec("mlp", schema::Mode::infer, 8)},
      2);
  for (const schema::PlannedCase& planned : record.run.planned)
    record.launches[planned.id] = {tests::good_launch({0.01}, 0), tests::good_launch({0.01}, 1)};
  record.run.planned[1].cooldown_seconds = 1;
  return record;
}

TEST(AddLaunches, ReachesThePlanWithinTheBudget) {
  schema::RunRecord record = two_cases();
  const AddedLaunches added =
      add_launches(record, {{record.run.planned[0].id, 4}, {record.run.planned[1].id, 3}}, 100);
  EXPECT_EQ(record.run.planned[0].repeats, 4);
  EXPECT_EQ(record.run.planned[1].repeats, 3);
  EXPECT_EQ(added.cases.size(), 2U);
  EXPECT_DOUBLE_EQ(added.seconds, 4 + 4 + 5);
  EXPECT_FALSE(added.is_cut_short);
}

TEST(AddLaunches, SharesOutABudgetThatIsTooSmall) {
  schema::RunRecord record = two_cases();
  const AddedLaunches added =
      add_launches(record, {{record.run.planned[0].id, 9}, {record.run.planned[1].id, 9}}, 13.5);
  EXPECT_EQ(record.run.planned[0].repeats, 4);
  EXPECT_EQ(record.run.planned[1].repeats, 3);
  EXPECT_TRUE(added.is_cut_short);
}

TEST(AddLaunches, LeavesCasesThatHaveEnough) {
  schema::RunRecord record = two_cases();
  const AddedLaunches added = add_launches(record, {{record.run.planned[0].id, 2}}, 100);
  EXPECT_TRUE(added.cases.empty());
  EXPECT_EQ(record.run.planned[0].repeats, 2);
}

}  // namespace
}  // namespace mpsbench::run
