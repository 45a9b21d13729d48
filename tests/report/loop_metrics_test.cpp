#include "report/metrics/loop_metrics.hpp"

#include "report/work_counts.hpp"
#include "support/sample_run.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace mpsbench::report {
namespace {

using schema::Launch;
using schema::Mode;
using tests::good_launch;
using tests::sample_spec;

TEST(LoopMetrics, ALoopsTimeIsTheMedianOverLaunches) {
  schema::CaseSpec spec = sample_spec("mlp", Mode::train, 64);
  spec.iterations = 21;
  std::vector<Launch> launches(3, good_launch(std::vector<double>(21, 0.010)));
  launches[0].loop_seconds = 0.25;
  launches[1].loop_seconds = 0.21;
  launches[2].loop_seconds = 0.22;
  EXPECT_EQ(compute_metrics(spec, tests::kWorkCounts, launches).metrics.loop_seconds, 0.22);
}

}  // namespace
}  // namespace mpsbench::report
