#include "measure/launch_fixture.hpp"
#include "measure/measure_launch.hpp"

#include <gtest/gtest.h>

namespace mpsbench::measure {
namespace {

using CountedTest = LaunchFixture;

TEST_F(CountedTest, EpochsAreTimedWhole) {
  machine_.step_loss = [](std::int64_t step) { return static_cast<double>(step); };
  machine_.loss_seconds = 1;
  work_.epochs = 3;
  work_.steps_per_epoch = 100;
  work_.rows_per_epoch = 3200;
  spec_.max_time_seconds = 1;  // does not apply
  warm_up_steps(2);
  measure();
  ASSERT_EQ(launch_.epochs.size(), 3U);
  for (const schema::EpochRecord& epoch : launch_.epochs) {
    EXPECT_EQ(epoch.seconds, 100.0 / 64);
    EXPECT_EQ(epoch.steps, 100);
    EXPECT_EQ(epoch.rows, 3200);
  }
  EXPECT_EQ(launch_.samples_seconds, std::vector<double>(300, 1.0 / 64));
  EXPECT_EQ(launch_.steps_per_sample, 1);
  EXPECT_EQ(launch_.stopped_by, "epochs");
  EXPECT_TRUE(launch_.unmet.empty());
  const std::vector<std::optional<double>> losses{0.0, 1.0, 2.0, 102.0, 202.0, 302.0};
  EXPECT_EQ(launch_.losses, losses);
  EXPECT_EQ(observer_.phases, (std::vector<std::string>{"warmup", "epoch", "epoch", "epoch", "events"}));
  const std::vector<std::pair<std::int64_t, bool>> epochs{{1, false}, {2, false}, {3, true}};
  EXPECT_EQ(observer_.epochs, epochs);
  EXPECT_TRUE(observer_.losses.empty());   // the observer does not want losses
  EXPECT_GT(observer_.events.size(), 3U);  // also inside an epoch
  EXPECT_EQ(observer_.events.front().loss, 3.0);
}

TEST_F(CountedTest, EpochsAreTheFirstStepsButOneWithoutWarmUp) {
  machine_.cost_seconds = 1.0 / 64;  // a cost at which several window sizes would be tried
  work_.epochs = 1;
  work_.steps_per_epoch = 100;
  warm_up_steps(0);
  measure();
  EXPECT_EQ(machine_.steps(), 101);
}

TEST_F(CountedTest, LongEpochsKeepFewerSamplesAndTheLastWindowTakesTheRest) {
  work_.epochs = 2;
  work_.steps_per_epoch = 10000;
  measure();
  EXPECT_EQ(launch_.steps_per_sample, 5);  // 10,000 steps in 2,048 windows
  EXPECT_EQ(samples(), 4000U);
  machine_.queue = true;
  work_.epochs = 1;
  work_.steps_per_epoch = 25;
  measure();
  EXPECT_EQ(launch_.steps_per_sample, 10);
  EXPECT_EQ(samples(), 2U);
  EXPECT_EQ(launch_.epochs[0].seconds, 25.0 / 64);
}

TEST_F(CountedTest, ASmallerLastStepIsTimedButIsNoSample) {
  work_.epochs = 2;
  work_.steps_per_epoch = 100;
  work_.last_is_smaller = true;
  measure();
  EXPECT_EQ(samples(), 2U * 99);
  for (const schema::EpochRecord& epoch : launch_.epochs) EXPECT_EQ(epoch.seconds, 100.0 / 64);
  work_.steps_per_epoch = 1;
  measure();
  EXPECT_EQ(samples(), 2U) << "there is no other step";
}

TEST_F(CountedTest, LossesAreToldEachHundredBatchesOutsideOfTheTime) {
  machine_.step_loss = [](std::int64_t step) { return static_cast<double>(step); };
  machine_.loss_seconds = 1;
  machine_.queue = true;  // windows have at least 10 steps
  observer_.wants = true;
  work_.epochs = 1;
  work_.steps_per_epoch = 230;
  warm_up_steps(2);
  measure();
  const std::int64_t first = machine_.steps() - 230 - 5;  // five more steps time the queueing
  ASSERT_EQ(observer_.losses.size(), 3U);
  EXPECT_EQ(observer_.losses[0].batch, 100);
  EXPECT_EQ(observer_.losses[0].batches, 230);
  EXPECT_EQ(observer_.losses[0].epoch, 1);
  EXPECT_EQ(observer_.losses[1].batch, 200);
  EXPECT_EQ(observer_.losses[1].loss, static_cast<double>(first + 199));
  EXPECT_EQ(observer_.losses[2].batch, 230);
  EXPECT_EQ(launch_.epochs[0].seconds, 230.0 / 64);
}

TEST_F(CountedTest, IterationsAreOneLoop) {
  work_.iterations = 10000;
  spec_.max_time_seconds = 1;  // does not apply
  measure();
  EXPECT_EQ(launch_.loop_seconds, 10000.0 / 64);
  EXPECT_TRUE(launch_.epochs.empty());
  EXPECT_EQ(launch_.steps_per_sample, 3);  // 10,000 steps in 4,096 windows
  EXPECT_EQ(launch_.stopped_by, "iterations");
  EXPECT_EQ(observer_.windows, samples()) << "live memory is read between them";
  EXPECT_EQ(observer_.phases, (std::vector<std::string>{"warmup", "loop", "events"}));
}

class AsPublishedTest : public LaunchFixture {
 protected:
  AsPublishedTest() {
    work_.as_published = true;
    machine_.step_loss = [](std::int64_t step) { return static_cast<double>(step); };
  }
};

TEST_F(AsPublishedTest, TheLoopDoesNotWaitForTheDevice) {
  machine_.queue = true;
  machine_.enqueue_seconds = 1.0 / 1024;
  work_.iterations = 100;
  measure();
  EXPECT_EQ(launch_.loop_seconds, 100.0 / 1024);  // although the device is busy for 100 / 64
  EXPECT_EQ(launch_.samples_seconds, std::vector<double>(100, 1.0 / 1024));
  EXPECT_EQ(machine_.steps(), 100);  // no warm-up
  EXPECT_TRUE(launch_.warmup_samples_seconds.empty());
  EXPECT_FALSE(launch_.first_step_seconds);
  EXPECT_TRUE(launch_.losses.empty());
  EXPECT_EQ(launch_.stopped_by, "iterations");
}

TEST_F(AsPublishedTest, MemoryIsReadAfterEachWindowOutsideTheLoopsTime) {
  observer_.at_window = [this] { machine_.idle(1); };
  work_.iterations = 100;
  measure();
  EXPECT_EQ(observer_.windows, 100U);
  EXPECT_EQ(launch_.loop_seconds, 100.0 / 64);
  work_.iterations = 100'000;
  measure();
  EXPECT_LE(samples(), static_cast<std::size_t>(kMostSamples));
  EXPECT_EQ(launch_.loop_seconds, 100'000.0 / 64);
}

TEST_F(AsPublishedTest, ASmallerLastStepIsTimedButIsNoSample) {
  work_.epochs = 2;
  work_.steps_per_epoch = 10;
  work_.last_is_smaller = true;
  measure();
  EXPECT_EQ(samples(), 2U * 9);
  for (const schema::EpochRecord& epoch : launch_.epochs) EXPECT_EQ(epoch.seconds, 10.0 / 64);
  EXPECT_EQ(machine_.steps(), 20);
}

TEST_F(AsPublishedTest, ALossReadAfterEveryStepWaits) {
  machine_.queue = true;
  machine_.loss_seconds = 1.0 / 128;
  work_.reads_losses = true;
  work_.epochs = 2;
  work_.steps_per_epoch = 10;
  work_.rows_per_epoch = 320;
  measure();
  ASSERT_EQ(launch_.epochs.size(), 2U);
  EXPECT_EQ(launch_.epochs[0].seconds, 10 * (1.0 / 64 + 1.0 / 128));
  EXPECT_EQ(launch_.epochs[1].rows, 320);
  EXPECT_EQ(machine_.steps(), 20);
  EXPECT_EQ(launch_.losses.size(), 20U);
  EXPECT_EQ(launch_.losses.front(), 0.0);
  EXPECT_EQ(observer_.epochs.size(), 2U);
  EXPECT_EQ(launch_.stopped_by, "epochs");
}

TEST_F(AsPublishedTest, TellsTheLossesThatTheScriptsPrinted) {
  observer_.wants = true;
  work_.reads_losses = true;
  work_.epochs = 1;
  work_.steps_per_epoch = 250;
  measure();
  ASSERT_EQ(observer_.losses.size(), 3U);
  EXPECT_EQ(observer_.losses[0].batch, 0);
  EXPECT_EQ(observer_.losses[0].loss, 0.0);
  EXPECT_EQ(observer_.losses[2].batch, 200);
  EXPECT_EQ(observer_.losses[2].batches, 250);
  EXPECT_EQ(observer_.losses[2].loss, 200.0);
}

}  // namespace
}  // namespace mpsbench::measure
