#include "measure/sequences.hpp"

#include "measure/fake_machine.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace mpsbench::measure {
namespace {

constexpr double kPrompt = 1.0 / 8;
constexpr double kToken = 1.0 / 64;

// Sequences on a scripted machine. A token of a sequence takes GROWTH longer than the one before it.
class FakeSequences final : public Sequences {
 public:
  explicit FakeSequences(std::int64_t steps) : steps_(steps) {
    machine.step_seconds = [this](std::int64_t) {
      return is_prompt_ ? kPrompt : kToken + static_cast<double>(done_) * growth;
    };
  }

  FakeMachine machine;
  double growth = 0;
  std::vector<std::int64_t> lengths;  // tokens after each prompt

  void read_prompt() override {
    is_prompt_ = true;
    machine.run();
    is_prompt_ = false;
    done_ = 0;
    lengths.push_back(0);
  }
  void add_token() override {
    machine.run();
    ++done_;
    ++lengths.back();
  }
  void take_token() override { machine.synchronize(); }
  [[nodiscard]] std::int64_t steps() const override { return steps_; }

 private:
  std::int64_t steps_;
  bool is_prompt_ = false;
  std::int64_t done_ = 0;
};

class SequencesTest : public testing::Test {
 protected:
  schema::Launch measure(FakeSequences& sequences, std::optional<std::int64_t> most_steps = {}) {
    schema::Launch launch;
    measure_sequences(sequences, sequences.machine, observer_, alone(), spec_, most_steps, launch);
    return launch;
  }

  SequencesTest() {
    spec_.max_time_seconds = 8;
    spec_.min_samples = schema::kLeastSequences;
  }

  RecordingObserver observer_;
  schema::MeasureSpec spec_;
};

TEST_F(SequencesTest, ASampleIsTheMeanTokenOfAWholeSequence) {
  FakeSequences sequences(16);
  sequences.growth = 1.0 / 1024;
  const schema::Launch launch = measure(sequences);
  EXPECT_EQ(launch.steps_per_sample, 16);
  EXPECT_EQ(launch.samples_seconds, std::vector(launch.samples_seconds.size(), kToken + 7.5 / 1024));
  EXPECT_EQ(launch.prefill_samples_seconds, std::vector(launch.samples_seconds.size(), kPrompt));
  EXPECT_EQ(launch.first_step_seconds, kPrompt);
  EXPECT_EQ(launch.stopped_by, "max-noise");
  EXPECT_TRUE(launch.unmet.empty());
}

TEST_F(SequencesTest, EachTokenIsTimedAloneInOtherSequences) {
  FakeSequences sequences(16);
  sequences.growth = 1.0 / 1024;
  spec_.max_time_seconds = 1;
  const schema::Launch launch = measure(sequences);
  ASSERT_EQ(launch.latency_samples_seconds.size(), 16);
  EXPECT_EQ(launch.latency_samples_seconds.front(), kToken);
  EXPECT_EQ(launch.latency_samples_seconds.back(), kToken + 15.0 / 1024);
  EXPECT_FALSE(launch.enqueue_seconds);
}

TEST_F(SequencesTest, AQueueIsEmptyBeforeEachTokenThatIsTimedAlone) {
  FakeSequences sequences(16);
  sequences.machine.queue = true;
  sequences.machine.enqueue_seconds = 1.0 / 1024;
  const schema::Launch launch = measure(sequences);
  EXPECT_EQ(launch.enqueue_seconds, 1.0 / 1024);
  EXPECT_EQ(launch.latency_samples_seconds.front(), kToken + 1.0 / 1024);
  EXPECT_EQ(launch.prefill_samples_seconds.front(), kPrompt + 1.0 / 1024);
  // Only the first token of a sequence waits for the host.
  EXPECT_EQ(launch.samples_seconds.front(), kToken + 1.0 / 1024 / 16);
}

TEST_F(SequencesTest, TakesThreeSequencesHoweverLongTheyAreAndSaysWhatIsUnmet) {
  FakeSequences sequences(512);
  spec_.max_time_seconds = 2;
  const schema::Launch launch = measure(sequences);
  EXPECT_EQ(launch.samples_seconds.size(), 3);
  EXPECT_EQ(launch.latency_samples_seconds.size(), 512);
  EXPECT_EQ(launch.stopped_by, "max-time");
  EXPECT_EQ(launch.unmet, std::vector<std::string>{"max-noise"});
  spec_.min_samples = 4;
  EXPECT_EQ(measure(sequences).unmet, (std::vector<std::string>{"min-samples", "max-noise"}));
}

TEST_F(SequencesTest, TheAutomaticWarmUpEndsWithinASequence) {
  FakeSequences sequences(512);
  spec_.max_time_seconds = 2;
  const schema::Launch launch = measure(sequences);
  EXPECT_GT(sequences.lengths.front(), 0);
  EXPECT_LT(sequences.lengths.front(), 64);
  for (std::size_t i = 1; i < sequences.lengths.size(); ++i) EXPECT_EQ(sequences.lengths[i], 512) << i;
  EXPECT_EQ(launch.warmup_samples_seconds.front(), kToken);
}

TEST_F(SequencesTest, AGivenWarmUpGoesOnInNewSequences) {
  FakeSequences sequences(16);
  spec_.warmup = {schema::WarmupSpec::Kind::steps, 40};
  (void)measure(sequences);
  EXPECT_EQ(sequences.lengths[0], 16);
  EXPECT_EQ(sequences.lengths[1], 16);
  EXPECT_EQ(sequences.lengths[2], 8);
  spec_.warmup = {schema::WarmupSpec::Kind::steps, 0};
  EXPECT_TRUE(measure(sequences).warmup_samples_seconds.empty());
}

TEST_F(SequencesTest, ATrialIsOneShortSequence) {
  FakeSequences sequences(512);
  spec_.warmup = {schema::WarmupSpec::Kind::steps, 3};
  const schema::Launch launch = measure(sequences, 3);
  EXPECT_EQ(sequences.lengths, (std::vector<std::int64_t>{3, 3}));
  EXPECT_EQ(launch.samples_seconds, std::vector{kToken});
  EXPECT_EQ(launch.stopped_by, "max-batches");
  EXPECT_TRUE(launch.latency_samples_seconds.empty());
}

TEST_F(SequencesTest, TellsItsPhases) {
  FakeSequences sequences(4);
  (void)measure(sequences);
  EXPECT_EQ(observer_.phases, (std::vector<std::string>{"warmup", "measure", "latency"}));
}

}  // namespace
}  // namespace mpsbench::measure
