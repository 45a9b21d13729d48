#include "report/metrics/part_metrics.hpp"

#include "support/sample_run.hpp"

#include <gtest/gtest.h>

namespace mpsbench::report {
namespace {

using schema::Mode;

constexpr const char* kPaths[] = {"metrics.forward_seconds", "metrics.backward_seconds",
                                  "metrics.update_seconds"};

schema::Launch launch_with(const schema::StepParts& parts) {
  schema::Launch launch = tests::good_launch({0.1});
  launch.step_parts = parts;
  return launch;
}

TEST(PartMetrics, AreMediansOverTheLaunchesThatKnowThem) {
  const schema::Launch launches[] = {launch_with({1, 20, 300}), launch_with({3, 10, 100}),
                                     launch_with({2, 30, 200}), tests::good_launch({0.1})};
  schema::Metrics metrics;
  Notes notes;
  set_parts(tests::sample_spec("mlp", Mode::train, 64),
            {&launches[0], &launches[1], &launches[2], &launches[3]}, metrics, notes);
  EXPECT_EQ(metrics.forward_seconds, 2);
  EXPECT_EQ(metrics.backward_seconds, 20);
  EXPECT_EQ(metrics.update_seconds, 200);
  EXPECT_TRUE(notes.empty());
}

void expect_none(const schema::CaseSpec& spec, const std::vector<const schema::Launch*>& good,
                 const std::string& reason) {
  schema::Metrics metrics;
  Notes notes;
  set_parts(spec, good, metrics, notes);
  EXPECT_FALSE(metrics.forward_seconds || metrics.backward_seconds || metrics.update_seconds);
  for (const char* path : kPaths) EXPECT_NE(notes[path].find(reason), std::string::npos) << notes[path];
}

TEST(PartMetrics, SayWhyThereAreNone) {
  const schema::CaseSpec spec = tests::sample_spec("mlp", Mode::train, 64);
  const schema::Launch known = launch_with({1, 2, 3});
  const schema::Launch unknown = tests::good_launch({0.1});
  expect_none(spec, {&unknown}, "no launch kept them");
  expect_none(spec, {}, "no launch succeeded");
  expect_none(tests::sample_spec("mlp", Mode::infer, 64), {&unknown}, "only training");
  schema::CaseSpec other = spec;
  other.engine = schema::Engine::graph;
  expect_none(other, {&unknown}, "replayed as a whole");
  other = spec;
  other.loop = schema::LoopProtocol::published;
  expect_none(other, {&unknown}, "--as-published");
  other = spec;
  other.pad = schema::Pad::longest;
  expect_none(other, {&known}, "--pad longest");
}

}  // namespace
}  // namespace mpsbench::report
