#include "measure/as_published.hpp"

#include "measure/launch_fixture.hpp"

#include <gtest/gtest.h>

namespace mpsbench::measure {
namespace {

class AsPublishedTest : public LaunchFixture {
 protected:
  AsPublishedTest() {
    work_.loop = schema::LoopProtocol::published;
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

TEST_F(AsPublishedTest, LongLoopsKeepNoMoreWindowsThanALaunchMay) {
  work_.iterations = 100'000;
  measure();
  EXPECT_LE(samples(), static_cast<std::size_t>(kMostSamples));
  EXPECT_EQ(launch_.loop_seconds, 100'000.0 / 64);
}

}  // namespace
}  // namespace mpsbench::measure
