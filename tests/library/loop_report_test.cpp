#include "library/loop_report.hpp"

#include "measure/fake_machine.hpp"
#include "support/errors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <vector>

namespace mpsbench::library {
namespace {

// A loop on a scripted GPU, whose steps take 1/1024 s.
class LoopReport : public testing::Test {
 protected:
  void SetUp() override {
    machine_.queue = true;
    machine_.step_seconds = [](std::int64_t) { return 1.0 / 1024; };
    machine_.enqueue_seconds = 1.0 / (1 << 20);
    loop_.name = "my-network";
    loop_.batch_size = 8;
    loop_.threads = 1;
    loop_.device = "cuda:1";
    loop_.device_name = "a GPU";
    loop_.synchronize = [this] { machine_.synchronize(); };
    loop_.read_result = [this] {
      ++results_;
      return machine_.loss().value_or(result_);
    };
  }

  Report report() {
    return loop_report(loop_, [this] { machine_.run(); }, machine_);
  }

  measure::FakeMachine machine_;
  Loop loop_;
  double result_ = 0.5;
  int results_ = 0;
};

TEST_F(LoopReport, TimesStepsAndLatencyOfAGpu) {
  const Report made = report();
  const CaseResult& result = made.cases.front();
  EXPECT_EQ(result.id, "my-network/infer/cuda:1/b8/fp32/eager/synthetic");
  EXPECT_NEAR(result.metrics.step_seconds.median.value(), 1.0 / 1024, 1e-6);
  EXPECT_NEAR(result.metrics.latency_seconds.median.value(), 1.0 / 1024, 1e-5);
  EXPECT_TRUE(result.launches.front().self_test.value().passed);
  EXPECT_TRUE(result.launches.front().losses.empty());
  ASSERT_EQ(made.host.accelerators.size(), 1U);
  EXPECT_EQ(made.host.accelerators.front().name, "a GPU");
}

TEST_F(LoopReport, KeepsTheLossesOfTraining) {
  loop_.mode = Mode::train;
  const Report made = report();
  const std::vector<std::optional<double>>& losses = made.cases.front().launches.front().losses;
  ASSERT_FALSE(losses.empty());
  EXPECT_EQ(losses.front(), 0.5);
  EXPECT_GE(results_, static_cast<int>(losses.size()));
}

TEST_F(LoopReport, FlagsALossThatIsNotFinite) {
  loop_.mode = Mode::train;
  result_ = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::ranges::count(report().cases.front().flags, "diverged"));
}

TEST_F(LoopReport, RefusesASynchroniseThatDoesNotWait) {
  machine_.synchronize_is_broken = true;
  EXPECT_TRUE(tests::contains(tests::error_of(ErrorKind::no_device, [this] { (void)report(); }),
                              "synchronize() does not wait"));
}

}  // namespace
}  // namespace mpsbench::library
