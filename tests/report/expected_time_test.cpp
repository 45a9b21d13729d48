#include "report/metrics/expected_time.hpp"

#include "support/sample_run.hpp"

#include <gtest/gtest.h>

namespace mpsbench::report {
namespace {

using schema::Mode;

// One case with launches of at most 3 s. A step of training has 8,192 FLOP.
schema::RunRecord one_case(double ceiling = 1e12) {
  schema::RunRecord record = tests::sample_run({tests::sample_spec("mlp", Mode::train, 64)}, 1);
  const schema::CaseSpec& spec = record.run.planned[0].spec;
  record.host.ceilings = {{spec.device, spec.threads, "", {{schema::Precision::fp32, ceiling}}, {}}};
  return record;
}

ExpectedTime time_of(const schema::RunRecord& record) {
  return expected_time(record, record.run.planned[0]);
}

TEST(ExpectedTime, IsTheLimitUnlessTheFewestStepsTakeLonger) {
  EXPECT_FALSE(time_of(one_case()).is_estimate);
  EXPECT_DOUBLE_EQ(time_of(one_case()).seconds, 3);
  EXPECT_TRUE(time_of(one_case(2 * 8192.0 / 10)).is_estimate);
  EXPECT_NEAR(time_of(one_case(2 * 8192.0 / 10)).seconds, 3 * 10, 0.01);  // three steps at half the ceiling
  schema::RunRecord replayed = one_case(2 * 8192.0 / 10);
  replayed.run.planned[0].spec.engine = schema::Engine::graph;
  EXPECT_NEAR(time_of(replayed).seconds, 2 * 10, 0.01) << "no step is divided";
  EXPECT_GT(time_of(one_case(1e-3)).seconds, 600);  // more than the timeout, which the plan then says
}

TEST(ExpectedTime, OfCountedWorkIsThatOfItsSteps) {
  schema::RunRecord record = one_case(2 * 8192.0);
  record.run.planned[0].spec.iterations = 50;
  EXPECT_NEAR(time_of(record).seconds, 50, 0.1);
  record.run.planned[0].spec.iterations.reset();
  record.run.planned[0].spec.rows = 640;
  record.run.planned[0].spec.epochs = 3;
  EXPECT_NEAR(time_of(record).seconds, 30, 0.1);
  EXPECT_TRUE(time_of(record).is_estimate);
}

TEST(ExpectedTime, WithoutACeilingTheRateIsAssumed) {
  schema::RunRecord record = one_case();
  record.host.ceilings.clear();
  record.run.planned[0].spec.iterations = 100'000;
  EXPECT_TRUE(time_of(record).is_estimate);
  EXPECT_GT(time_of(record).seconds, 0.1);
  EXPECT_LT(time_of(record).seconds, 100);
}

TEST(ExpectedStep, GainsNothingByMoreThreadsThanCores) {
  schema::RunRecord record = one_case();
  record.host.ceilings.clear();
  schema::PlannedCase& planned = record.run.planned[0];
  const auto with_threads = [&](std::int64_t threads) {
    planned.spec.threads = threads;
    return expected_step_seconds(record, planned).value();
  };
  EXPECT_LT(with_threads(2), with_threads(1));
  EXPECT_EQ(with_threads(999), with_threads(2)) << "the machine has two cores";
  planned.spec.mode = Mode::data;
  EXPECT_FALSE(expected_step_seconds(record, planned));
}

TEST(ExpectedTime, OfWorkWithoutFlopIsTheLimit) {
  schema::RunRecord record = one_case();
  record.run.planned[0].spec.mode = Mode::data;
  record.run.planned[0].spec.epochs = 1;
  EXPECT_FALSE(time_of(record).is_estimate);
  EXPECT_DOUBLE_EQ(time_of(record).seconds, 600);
}

}  // namespace
}  // namespace mpsbench::report
