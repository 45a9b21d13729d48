#include "report/metrics/least_traffic.hpp"

#include "support/paged.hpp"

#include <gtest/gtest.h>

namespace mpsbench::report {
namespace {

// A network of 8 inputs and 4 classes, so it has 36 weights.
schema::Report report_of(schema::Mode mode, std::int64_t batch_size) {
  schema::CaseResult result = tests::timed_case(batch_size, 0.1);
  result.spec.mode = mode;
  return tests::paged_report({result});
}

double bytes_of(const schema::Report& report) {
  return least_step_bytes(report.run, report.cases[0]).value();
}

TEST(LeastStepBytes, OfInferenceAreWeightsAndInputs) {
  EXPECT_EQ(bytes_of(report_of(schema::Mode::infer, 1)), 4 * (36 + 8));
  EXPECT_EQ(bytes_of(report_of(schema::Mode::infer, 64)), 4 * (36 + 64 * 8));
}

TEST(LeastStepBytes, OfTrainingAreMore) {
  schema::Report report = report_of(schema::Mode::train, 64);
  EXPECT_GE(bytes_of(report), 4 * (2 * 36 + 64 * 8));
  report.cases[0].spec.precision = schema::Precision::bf16;
  EXPECT_LE(bytes_of(report), bytes_of(report_of(schema::Mode::train, 64)));
}

TEST(LeastStepBytes, AreUnknownWithoutAGoodDefinition) {
  schema::Report report = report_of(schema::Mode::train, 64);
  report.run.definitions.begin()->second["layers"] = "broken";
  EXPECT_EQ(least_step_bytes(report.run, report.cases[0]), std::nullopt);
  report.run.definitions.clear();
  EXPECT_EQ(least_step_bytes(report.run, report.cases[0]), std::nullopt);
}

}  // namespace
}  // namespace mpsbench::report
