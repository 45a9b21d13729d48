#include "run/plan/more_launches.hpp"

#include "support/sample_run.hpp"

#include <gtest/gtest.h>

namespace mpsbench::run {
namespace {

// Two cases with two launches of 4 s each. The second case also has 1 s of cooldown before a launch.
schema::RunRecord two_cases() {
  schema::RunRecord record = tests::sample_run(
      {tests::sample_spec("mlp", schema::Mode::train, 8), tests::sample_spec("mlp", schema::Mode::infer, 8)}, 2);
  for (const schema::PlannedCase& planned : record.run.planned)
    record.launches[planned.id] = {tests::good_launch({0.01}, 0), tests::good_launch({0.01}, 1)};
  record.run.planned[1].cooldown_seconds = 1;
  return record;
}

AddedLaunches add(schema::RunRecord& record, std::int64_t first, std::int64_t second, double budget_seconds,
                  Sharing sharing) {
  const std::vector<schema::PlannedCase>& planned = record.run.planned;
  return add_launches(record, {{planned[0].id, first}, {planned[1].id, second}}, budget_seconds, sharing);
}

TEST(AddLaunches, ReachesThePlanWithinTheBudget) {
  schema::RunRecord record = two_cases();
  const AddedLaunches added = add(record, 4, 3, 100, Sharing::in_turns);
  EXPECT_EQ(record.run.planned[0].repeats, 4);
  EXPECT_EQ(record.run.planned[1].repeats, 3);
  EXPECT_EQ(added.cases.size(), 2U);
  EXPECT_DOUBLE_EQ(added.seconds, 4 + 4 + 5);
  EXPECT_FALSE(added.is_cut_short);
}

TEST(AddLaunches, SharesOutABudgetThatIsTooSmall) {
  schema::RunRecord record = two_cases();
  const AddedLaunches added = add(record, 9, 9, 13.5, Sharing::in_turns);
  EXPECT_EQ(record.run.planned[0].repeats, 4);
  EXPECT_EQ(record.run.planned[1].repeats, 3);
  EXPECT_TRUE(added.is_cut_short);
}

TEST(AddLaunches, GoToEachInTurnOrToTheCaseThatGainsMostForItsTime) {
  schema::RunRecord in_turns = two_cases();
  for (schema::Launch& launch : in_turns.launches[in_turns.run.planned[1].id]) launch.wall_seconds = 1;
  schema::RunRecord by_narrowing = in_turns;
  (void)add(in_turns, 90, 90, 18, Sharing::in_turns);
  EXPECT_EQ(in_turns.run.planned[0].repeats, 5);
  EXPECT_EQ(in_turns.run.planned[1].repeats, 5);
  (void)add(by_narrowing, 90, 90, 16, Sharing::by_narrowing);
  EXPECT_EQ(by_narrowing.run.planned[0].repeats, 4);
  EXPECT_EQ(by_narrowing.run.planned[1].repeats, 6);
}

TEST(AddLaunches, TakeNoTimeForComparisonsThatOnlyTheFirstLaunchMakes) {
  schema::RunRecord record = two_cases();
  for (const schema::PlannedCase& planned : record.run.planned) {
    schema::Launch& first = record.launches[planned.id].front();
    first.wall_seconds = 60;
    first.agreement.emplace_back();
  }
  EXPECT_DOUBLE_EQ(add(record, 3, 3, 100, Sharing::in_turns).seconds, 4 + 5);
  for (schema::Launch& launch : record.launches[record.run.planned[0].id]) launch.agreement.resize(1);
  EXPECT_DOUBLE_EQ(add(record, 4, 3, 100, Sharing::in_turns).seconds, (60 + 4) / 2);
}

TEST(AddLaunches, LeavesCasesThatHaveEnough) {
  schema::RunRecord record = two_cases();
  const AddedLaunches added = add_launches(record, {{record.run.planned[0].id, 2}}, 100, Sharing::in_turns);
  EXPECT_TRUE(added.cases.empty());
  EXPECT_EQ(record.run.planned[0].repeats, 2);
}

TEST(RepeatsOfDisturbed, AreAsManyAsWereDisturbedUpToThePlan) {
  schema::RunRecord record = two_cases();
  const std::string id = record.run.planned[0].id;
  std::vector<schema::Launch>& launches = record.launches[id];
  launches[1].disturbed = schema::Disturbance::stopped;
  EXPECT_TRUE(repeats_of_disturbed(record).empty()) << "--repeats is exact";
  record.run.repeats_disturbed = true;
  EXPECT_EQ(repeats_of_disturbed(record), (report::RequiredLaunches{{id, 3}}));
  record.run.planned[0].repeats = 3;
  record.run.planned[0].repeated = 1;
  launches.push_back(tests::good_launch({0.01}, 2));
  EXPECT_TRUE(repeats_of_disturbed(record).empty());
  launches[2].disturbed = schema::Disturbance::stopped;
  EXPECT_EQ(repeats_of_disturbed(record), (report::RequiredLaunches{{id, 4}}));
  record.run.planned[0].repeats = 4;
  record.run.planned[0].repeated = 2;
  launches.push_back(tests::good_launch({0.01}, 3));
  launches[3].disturbed = schema::Disturbance::stopped;
  EXPECT_TRUE(repeats_of_disturbed(record).empty()) << "twice the planned launches";
}

TEST(RepeatsOfDisturbed, AreNoneOfACaseWithAFailure) {
  schema::RunRecord record = two_cases();
  record.run.repeats_disturbed = true;
  std::vector<schema::Launch>& launches = record.launches[record.run.planned[0].id];
  launches[0] = tests::bad_launch(schema::Status::crashed, "x", 0);
  launches[1].disturbed = schema::Disturbance::stopped;
  EXPECT_TRUE(repeats_of_disturbed(record).empty());
}

TEST(AddLaunches, GiveMoreToACaseThatWasDisturbed) {
  schema::RunRecord record = two_cases();
  record.run.planned[1].cooldown_seconds = 0;
  for (schema::PlannedCase& planned : record.run.planned) {
    for (std::int64_t i = 2; i < 6; ++i) record.launches[planned.id].push_back(tests::good_launch({0.01}, i));
    planned.repeats = 6;
  }
  for (std::size_t i = 0; i < 3; ++i)
    record.launches[record.run.planned[1].id][i].disturbed = schema::Disturbance::stopped;
  (void)add(record, 20, 20, 12, Sharing::by_narrowing);
  EXPECT_EQ(record.run.planned[0].repeats, 6);
  EXPECT_EQ(record.run.planned[1].repeats, 9);
}

}  // namespace
}  // namespace mpsbench::run
