#include "supervise/run_order.hpp"

#include "supervise/support.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace mpsbench::supervise {
namespace {

using schema::Status;
using tests::planned_case;

// Two networks with unordered batches, and a network with more repeats.
std::vector<schema::PlannedCase> sample_plan() {
  return {planned_case("a", 64, 3), planned_case("a", 1, 3), planned_case("b", 32, 3),
          planned_case("a", 8, 3),  planned_case("b", 4, 3), planned_case("c", 2, 5)};
}

std::vector<std::size_t> cases_of(const std::vector<PlannedLaunch>& order) {
  std::vector<std::size_t> cases;
  for (const PlannedLaunch& one : order) cases.push_back(one.case_index);
  return cases;
}

TEST(LaunchOrder, HoldsEveryLaunchOnceBlockByBlockWithSmallBatchesOfAGroupFirst) {
  const auto plan = sample_plan();
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const auto order = launch_order(plan, seed);
    ASSERT_EQ(order.size(), 20U);
    EXPECT_TRUE(std::ranges::is_sorted(order, {}, &PlannedLaunch::index));
    std::set<std::pair<std::size_t, std::int64_t>> seen;
    std::map<std::pair<std::int64_t, std::string>, std::int64_t> largest;
    for (const PlannedLaunch& one : order) {
      seen.emplace(one.case_index, one.index);
      const schema::CaseSpec& spec = plan[one.case_index].spec;
      std::int64_t& so_far = largest[{one.index, memory_group(spec)}];
      EXPECT_LT(so_far, spec.batch_size);
      so_far = spec.batch_size;
    }
    EXPECT_EQ(seen.size(), 20U);
  }
}

TEST(LaunchOrder, LoopsOfIterationsKeepThePlansOrder) {
  std::vector<schema::PlannedCase> plan = sample_plan();
  for (schema::PlannedCase& planned : plan) {
    planned.spec.iterations = 10;
    planned.repeats = 1;
    planned.spec.batch_size = 1;
  }
  for (std::uint64_t seed = 0; seed < 50; ++seed)
    EXPECT_EQ(cases_of(launch_order(plan, seed)), (std::vector<std::size_t>{0, 1, 2, 3, 4, 5}));
}

TEST(LaunchOrder, IsRandomOtherwise) {
  const auto plan = sample_plan();
  std::set<std::vector<std::size_t>> orders;
  std::map<std::size_t, int> first;
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    const auto cases = cases_of(launch_order(plan, seed));
    orders.insert(cases);
    ++first[cases.front()];
  }
  EXPECT_GT(orders.size(), 290U);
  // a's batches have half of the places, b's a third, and c's one of six.
  EXPECT_NEAR(first[1], 150, 40);
  EXPECT_NEAR(first[4], 100, 40);
  EXPECT_NEAR(first[5], 50, 30);
}

TEST(LaunchOrder, BlocksDifferAndTheSameSeedGivesTheSameOrderEverywhere) {
  const std::vector<schema::PlannedCase> plan{planned_case("a", 1, 2), planned_case("b", 1, 2), planned_case("c", 1, 2),
                                              planned_case("d", 1, 2)};
  EXPECT_EQ(cases_of(launch_order(plan, 7)), cases_of(launch_order(plan, 7)));
  EXPECT_EQ(cases_of(launch_order(plan, 7)), (std::vector<std::size_t>{1, 2, 0, 3, 3, 0, 1, 2}));
}

// A launch that failed because QUANTITY differs from REFERENCE.
schema::Launch wrong_launch(schema::Reference reference, schema::Compared quantity) {
  schema::Launch launch;
  launch.status = Status::failed;
  launch.failure = schema::Failure{schema::kWrongOutput, "off by 3", ""};
  launch.agreement = {{schema::Reference::cpu, schema::Compared::output, 0.01, 0.1},
                      {reference, quantity, 3, 0.1},
                      {schema::Reference::eager, schema::Compared::weights, 0.01, 0.1}};
  return launch;
}

TEST(Condemns, WhatComputesTheSame) {
  using schema::Compared, schema::Reference;
  const schema::PlannedCase broken = planned_case("a", 64);
  const auto other = [](auto change) {
    schema::PlannedCase one = planned_case("a", 8);
    change(one);
    return one;
  };
  const auto same = other([](auto&) {});
  const auto infer = other([](auto& one) { one.spec.mode = schema::Mode::infer; });
  const auto adam = other([](auto& one) { one.spec.optimizer = {"adam", {}}; });
  const auto graph = other([](auto& one) { one.spec.engine = schema::Engine::graph; });
  const auto fp16 = other([](auto& one) { one.spec.precision = schema::Precision::fp16; });
  const auto loaded = other([](auto& one) { one.weights_path = "/w.safetensors"; });
  const schema::Launch output = wrong_launch(Reference::cpu, Compared::output);
  schema::Launch unnamed = output;
  unnamed.agreement.clear();
  for (const schema::Launch& wrong : {output, unnamed}) {
    for (const auto& one : {same, infer, adam, graph}) EXPECT_TRUE(condemns(wrong, broken, one));
    for (const auto& one : {fp16, loaded}) EXPECT_FALSE(condemns(wrong, broken, one));
  }
  for (const Compared quantity : {Compared::loss, Compared::gradients, Compared::weights}) {
    const schema::Launch wrong = wrong_launch(Reference::cpu, quantity);
    for (const auto& one : {same, graph}) EXPECT_TRUE(condemns(wrong, broken, one));
    for (const auto& one : {infer, adam}) EXPECT_FALSE(condemns(wrong, broken, one));
  }
  const schema::Launch unlike_eager = wrong_launch(Reference::eager, Compared::output);
  EXPECT_FALSE(condemns(unlike_eager, graph, broken));
  EXPECT_TRUE(condemns(unlike_eager, graph, graph));
  schema::Launch crashed = output;
  crashed.failure->kind = "exception";
  EXPECT_FALSE(condemns(crashed, broken, same));
}

TEST(DropUnfinished, KeepsVerdictsAndDropsAccidents) {
  schema::RunRecord record = tests::run_record({planned_case("a", 1, 9)});
  const std::string id = record.run.planned[0].id;
  std::int64_t index = 0;
  for (const Status status : {Status::ok, Status::oom, Status::timeout, Status::crashed, Status::unsupported,
                              Status::failed, Status::skipped, Status::interrupted})
    record.launches[id].push_back(tests::launch_of(status, index++));
  record.launches[id].push_back(tests::launch_of(Status::failed, index++));
  record.launches[id].back().failure = schema::Failure{schema::kLostRank, "rank 0 lost rank 1", ""};
  drop_unfinished(record);
  std::vector<Status> kept;
  for (const schema::Launch& launch : record.launches[id]) kept.push_back(launch.status);
  EXPECT_EQ(kept, (std::vector<Status>{Status::ok, Status::oom, Status::unsupported, Status::failed}));
  std::vector<std::int64_t> missing;
  for (const PlannedLaunch& one : missing_launches(record)) missing.push_back(one.index);
  EXPECT_EQ(missing, (std::vector<std::int64_t>{2, 3, 6, 7, 8}));
}

TEST(DropUnfinished, KeepsWhatCountsUntilItHasRunAgain) {
  schema::RunRecord record = tests::run_record({planned_case("a", 8, 3)});
  const std::string id = record.run.planned[0].id;
  const auto launch_with = [](std::size_t samples, std::int64_t order) {
    schema::Launch launch = tests::launch_of(Status::interrupted, 1);
    launch.samples_seconds.assign(samples, 0.5);
    launch.order = order;
    return launch;
  };
  record.launches[id] = {tests::launch_of(Status::ok, 0), launch_with(9, 4)};
  drop_unfinished(record);
  EXPECT_EQ(record.launches[id].size(), 1U);
  ASSERT_EQ(record.unfinished[id].size(), 1U);
  EXPECT_EQ(next_order(record), 5);
  EXPECT_EQ(missing_launches(record).size(), 2U);

  schema::RunRecord stopped_again = record;
  add_launch(stopped_again, id, launch_with(0, 5));
  EXPECT_EQ(stopped_again.launches[id].back().order, 4) << "the one that counts stays";
  EXPECT_TRUE(stopped_again.unfinished[id].empty());
  for (schema::Launch again : {launch_with(1, 5), tests::launch_of(Status::ok, 1)}) {
    schema::RunRecord replaced = record;
    again.order = 5;
    add_launch(replaced, id, again);
    EXPECT_EQ(replaced.launches[id].back().order, 5);
    EXPECT_TRUE(replaced.unfinished[id].empty());
  }
}

TEST(HasCrashed, MeansAccidentsOfWorkersNotVerdicts) {
  const auto crashed = [](const schema::Launch& launch) {
    schema::RunRecord record = tests::run_record({planned_case("a", 1)});
    record.launches[record.run.planned[0].id] = {tests::launch_of(Status::ok, 0), launch};
    return has_crashed(record);
  };
  schema::Launch lost = tests::launch_of(Status::failed, 1);
  EXPECT_FALSE(crashed(lost));
  lost.failure = schema::Failure{schema::kLostRank, "rank 0 lost rank 1", ""};
  EXPECT_TRUE(crashed(lost));
  EXPECT_TRUE(crashed(tests::launch_of(Status::crashed, 1)));
  EXPECT_FALSE(crashed(tests::launch_of(Status::ok, 1)));
  EXPECT_FALSE(crashed(tests::launch_of(Status::timeout, 1))) << "it needs a longer --timeout";
}

}  // namespace
}  // namespace mpsbench::supervise
