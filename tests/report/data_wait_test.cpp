#include "report/metrics/step_metrics.hpp"
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

TEST(DataWait, WaitingForDataIsWhatAResidentBatchSaves) {
  schema::CaseSpec spec = sample_spec("mlp", Mode::train, 64);
  spec.device = "cuda";
  spec.input = schema::Input::host;
  Launch launch = good_launch(std::vector<double>(21, 0.010));
  launch.input_times = {0.008, 0.004};
  const Launch other = good_launch(std::vector<double>(21, 0.010));
  EXPECT_DOUBLE_EQ(compute_metrics(spec, tests::kWorkCounts, std::vector{launch}).metrics.data_wait_share.value(), 0.2);
  launch.input_times = {0.008, 0.0005};
  EXPECT_DOUBLE_EQ(compute_metrics(spec, tests::kWorkCounts, std::vector{launch}).metrics.data_wait_share.value(), 0.1);
  launch.input_times = {0.011, 0.004};  // only noise: the step does not wait
  EXPECT_EQ(compute_metrics(spec, tests::kWorkCounts, std::vector{launch}).metrics.data_wait_share, 0);
  EXPECT_EQ(compute_metrics(spec, tests::kWorkCounts, std::vector{other}).metrics.data_wait_share, std::nullopt);
}

}  // namespace
}  // namespace mpsbench::report
