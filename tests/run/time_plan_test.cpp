#include "run/plan/time_plan.hpp"

#include "suite/support.hpp"
#include "support/sample_run.hpp"
#include "support/scratch.hpp"

#include <tuple>
#include <utility>
#include <vector>

namespace mpsbench::run {
namespace {

using schema::Purpose;
using Texts = std::vector<std::pair<std::string, std::string>>;

TimeLimit of_a_model(Texts texts, Purpose purpose = Purpose::plain) {
  texts.emplace_back("model", "mlp");
  return time_limit_of(read_request(tests::project_catalog(), {}, tests::settings_of(texts)), purpose);
}

TimeLimit of_a_suite(const std::string& keys, const Texts& texts, Purpose purpose = Purpose::plain) {
  const tests::Scratch scratch;
  const std::string file = scratch.write("s.json", R"({"name": "s", )" + keys + R"( "matrices": [{"model": "mlp"}]})");
  return time_limit_of(read_request(tests::project_catalog(), {file}, tests::settings_of(texts)), purpose);
}

void expect_limit(const TimeLimit& limit, std::optional<double> seconds, bool plans_launches) {
  EXPECT_EQ(limit.seconds, seconds);
  EXPECT_EQ(limit.plans_launches, plans_launches);
}

TEST(TimeLimit, OfTheCommandLinePlansLaunchesWhoseNumberNobodyGives) {
  expect_limit(of_a_model({}), std::nullopt, false);
  expect_limit(of_a_model({{"time-limit", "5m"}}), 300, true);
  expect_limit(of_a_model({{"time-limit", "5m"}, {"max-time", "9s"}}), 300, true);
  expect_limit(of_a_model({{"time-limit", "5m"}, {"repeats", "4"}}), 300, false);
  expect_limit(of_a_model({{"time-limit", "5m"}, {"dump-first-step", "x"}}), 300, false);
  for (const Purpose purpose : {Purpose::baseline, Purpose::versus, Purpose::calibrate})
    expect_limit(of_a_model({{"time-limit", "5m"}}, purpose), 300, false);
  expect_limit(of_a_suite(R"("repeats": 2,)", {{"time-limit", "5m"}}), 300, false);
}

TEST(TimeLimit, OfASuiteIsForItsPlainRuns) {
  const std::string keys = R"("time-limit": "2m",)";
  expect_limit(of_a_suite(keys, {}), 120, true);
  expect_limit(of_a_suite(keys, {{"time-limit", "5m"}}), 300, true);
  for (const auto& [name, text] : Texts{{"repeats", "2"}, {"max-time", "9s"}, {"cooldown", "9s"}, {"ceilings", "true"}})
    expect_limit(of_a_suite(keys, {{name, text}}), std::nullopt, false);
  expect_limit(of_a_suite(keys, {{"repeats", "2"}, {"time-limit", "5m"}}), 300, false);
  for (const Purpose purpose : {Purpose::baseline, Purpose::versus, Purpose::calibrate})
    expect_limit(of_a_suite(keys, {}, purpose), std::nullopt, false);
  expect_limit(of_a_suite(keys + R"("repeats": 2,)", {}), 120, false);
}

// The plan of MLP cases in training with these options.
suite::PlannedCases cases_of(Texts texts, const suite::Host& host) {
  texts.insert(texts.end(), {{"model", "mlp"}, {"mode", "train"}, {"device", "cpu"}});
  return suite::plan_cases({tests::settings_of(texts)}, tests::project_catalog(), host);
}

TEST(ShortenLaunches, GivesEachATwelfthOfItsCasesShareAndNeverMore) {
  const suite::Host host{2, 0, {}, {}};
  const auto seconds = [&](Texts texts, double limit) {
    suite::PlannedCases plan = cases_of(std::move(texts), host);
    shorten_launches(plan, host, limit);
    return plan.cases.front().measure.max_time_seconds;
  };
  EXPECT_DOUBLE_EQ(seconds({{"batch-size", "1,2"}}, 24), 1);
  EXPECT_DOUBLE_EQ(seconds({{"batch-size", "1"}}, 3600), 10.0 / 3);  // the usual time
  EXPECT_DOUBLE_EQ(seconds({{"batch-size", "1"}}, 1), 0.5);
  EXPECT_DOUBLE_EQ(seconds({{"batch-size", "1"}}, 7.5), 0.5);  // three launches with 2 s of set-up each
  EXPECT_DOUBLE_EQ(seconds({{"batch-size", "1"}, {"min-time", "1s"}, {"warmup", "1.5s"}}, 1), 2.5);
}

TEST(ShortenLaunches, CountsTheCasesThatCanRunAndTheSetupOfTheirDevices) {
  const schema::DeviceId cuda(schema::DeviceKind::cuda);
  std::vector<schema::DeviceStatus> found(1);
  found[0].device = cuda;
  const suite::Host host{2, 0, [&]() -> const std::vector<schema::DeviceStatus>& { return found; }, {}};
  const auto seconds = [&](double limit) {
    suite::PlannedCases plan = cases_of({{"batch-size", "1,2"}}, host);
    plan.cases[1].spec.device = cuda;
    shorten_launches(plan, host, limit);
    return plan.cases.front().measure.max_time_seconds;
  };
  found[0].usable = true;
  EXPECT_DOUBLE_EQ(seconds(36), 1.5);
  EXPECT_DOUBLE_EQ(seconds(19), (19.0 / 3 - 2 - 3) / 2);
  found[0].usable = false;
  found[0].reason = "no GPU";
  EXPECT_DOUBLE_EQ(seconds(15), 1.25);
}

TEST(ShortenLaunches, AlsoWhereTheBatchIsStillOpen) {
  const suite::Host host{2, 0, {}, {}};
  suite::PlannedCases plan = cases_of({{"batch-size", "best"}}, host);
  shorten_launches(plan, host, 12);
  EXPECT_DOUBLE_EQ(plan.open.front().at_batch(1, host).measure.max_time_seconds, 1);
  suite::PlannedCases counted = cases_of({{"batch-size", "max"}, {"iterations", "5"}}, host);
  shorten_launches(counted, host, 12);
  EXPECT_EQ(counted.open.front().at_batch(1, host).spec.iterations, 5);  // --max-time is not given beside it
}

// A planned run whose cases have had three launches each, which took SECONDS.
schema::RunRecord after_the_first(const std::vector<double>& seconds) {
  std::vector<schema::CaseSpec> specs;
  for (std::size_t i = 0; i < seconds.size(); ++i)
    specs.push_back(tests::sample_spec("mlp", schema::Mode::train, static_cast<std::int64_t>(i) + 1));
  schema::RunRecord record = tests::sample_run(specs, 3);
  record.run.planned_within_seconds = 100;
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    for (std::int64_t index = 0; index < 3; ++index) {
      schema::Launch launch = tests::good_launch({0.01, 0.02}, index);
      launch.wall_seconds = seconds[i];
      record.launches[record.run.planned[i].id].push_back(launch);
    }
  }
  return record;
}

std::vector<std::int64_t> numbers(const schema::RunRecord& record) {
  std::vector<std::int64_t> all;
  for (const schema::PlannedCase& planned : record.run.planned) all.push_back(planned.repeats);
  return all;
}

TEST(FillTime, GivesShortLaunchesMoreOfThemUntilTheyHardlyHelp) {
  using Numbers = std::vector<std::int64_t>;
  const std::string none = "planned within 1 min 40 s: no time for more launches";
  for (const auto& [seconds, left, wanted, words] :
       {std::tuple{std::vector<double>{1, 2, 4}, 32.0, Numbers{11, 8, 6},
                   std::string("planned within 1 min 40 s: 16 more launches (6 to 11 per case), about 30.0 s")},
        {{1, 2},
         1000.0,
         Numbers(2, report::kMostPlanned),
         "planned within 1 min 40 s: 34 more launches (20 per case), about 51.0 s"},
        {{1, 40}, 10.0, {12, 3}, "planned within 1 min 40 s: 9 more launches (3 to 12 per case), about 9.00 s"},
        {{1, 2}, 0.9, {3, 3}, none},
        {{1, 2}, -5.0, {3, 3}, none}}) {
    schema::RunRecord record = after_the_first(seconds);
    const AddedLaunches added = fill_time(record, left);
    EXPECT_EQ(numbers(record), wanted) << left;
    EXPECT_EQ(fill_words(record, added), words);
  }
}

TEST(FillTime, CountsNoRepeatsOfDisturbedLaunches) {
  schema::RunRecord record = after_the_first({1, 2});
  schema::PlannedCase& repeated = record.run.planned[0];
  for (std::int64_t index = 3; index < 5; ++index) {
    record.launches[repeated.id].push_back(record.launches[repeated.id].front());
    ++repeated.repeats;
    ++repeated.repeated;
  }
  const AddedLaunches added = fill_time(record, 1000);
  EXPECT_EQ(numbers(record), (std::vector<std::int64_t>{22, 20}));
  EXPECT_TRUE(
      fill_words(record, added).starts_with("planned within 1 min 40 s: 34 more launches (20 to 22 per case), about "));
}

TEST(FillTime, GivesTheTimeOfFailedCasesToTheOthers) {
  schema::RunRecord record = after_the_first({1, 1, 1});
  record.launches[record.run.planned[0].id][1] = tests::bad_launch(schema::Status::oom, "too large", 1);
  record.launches[record.run.planned[1].id][2] = tests::bad_launch(schema::Status::timeout, "slow", 2);
  (void)fill_time(record, 10);
  EXPECT_EQ(numbers(record), (std::vector<std::int64_t>{3, 3, 12}));
  record.launches[record.run.planned[2].id].clear();
  EXPECT_EQ(fill_words(record, fill_time(record, 10)), "");
}

TEST(FillTime, DoesNotLookAtWhatWasMeasured) {
  schema::RunRecord calm = after_the_first({1, 1});
  schema::RunRecord wild = calm;
  for (schema::Launch& launch : wild.launches[wild.run.planned[0].id])
    launch.samples_seconds = {0.01 * static_cast<double>(1 + launch.index)};
  (void)fill_time(calm, 10);
  (void)fill_time(wild, 10);
  EXPECT_EQ(numbers(calm), numbers(wild));
}

// Two cases with two launches of 4 s each. The second case also has 1 s of cooldown before a launch.
schema::RunRecord two_cases() {
  schema::RunRecord record = tests::sample_run(
      {tests::sample_spec("mlp", schema::Mode::train, 8), tests::sample_spec("mlp", schema::Mode::infer, 8)}, 2);
  for (const schema::PlannedCase& planned : record.run.planned)
    record.launches[planned.id] = {tests::good_launch({0.01}, 0), tests::good_launch({0.01}, 1)};
  record.run.planned[1].cooldown_seconds = 1;
  return record;
}

AddedLaunches add(schema::RunRecord& record, std::int64_t first, std::int64_t second, double budget_seconds) {
  const std::vector<schema::PlannedCase>& planned = record.run.planned;
  return add_launches(record, {{planned[0].id, first}, {planned[1].id, second}}, budget_seconds);
}

TEST(AddLaunches, ReachThePlanWithinTheBudget) {
  schema::RunRecord record = two_cases();
  const AddedLaunches added = add(record, 4, 3, 100);
  EXPECT_EQ(numbers(record), (std::vector<std::int64_t>{4, 3}));
  EXPECT_EQ(added.cases.size(), 2U);
  EXPECT_DOUBLE_EQ(added.seconds, 4 + 4 + 5);
  EXPECT_FALSE(added.is_cut_short);
  record = two_cases();
  EXPECT_TRUE(add(record, 9, 9, 13.5).is_cut_short);
  EXPECT_EQ(numbers(record), (std::vector<std::int64_t>{4, 3}));
  record = two_cases();
  EXPECT_TRUE(add(record, 2, 0, 100).cases.empty());
  EXPECT_EQ(numbers(record), (std::vector<std::int64_t>{2, 2}));
}

TEST(AddLaunches, GoToTheCaseThatGainsMostForItsTime) {
  schema::RunRecord record = two_cases();
  for (schema::Launch& launch : record.launches[record.run.planned[1].id]) launch.wall_seconds = 1;
  (void)add(record, 90, 90, 16);
  EXPECT_EQ(numbers(record), (std::vector<std::int64_t>{4, 6}));
}

TEST(AddLaunches, TakeNoTimeForComparisonsThatOnlyTheFirstLaunchMakes) {
  schema::RunRecord record = two_cases();
  for (const schema::PlannedCase& planned : record.run.planned) {
    schema::Launch& first = record.launches[planned.id].front();
    first.wall_seconds = 60;
    first.agreement.emplace_back();
  }
  EXPECT_DOUBLE_EQ(add(record, 3, 3, 100).seconds, 4 + 5);
  for (schema::Launch& launch : record.launches[record.run.planned[0].id]) launch.agreement.resize(1);
  EXPECT_DOUBLE_EQ(add(record, 4, 3, 100).seconds, (60 + 4) / 2);
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
  (void)add(record, 20, 20, 12);
  EXPECT_EQ(numbers(record), (std::vector<std::int64_t>{6, 9}));
}

}  // namespace
}  // namespace mpsbench::run
