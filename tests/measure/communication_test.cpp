#include "measure/communication.hpp"

#include "measure/fake_machine.hpp"
#include "measure/measure_launch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace mpsbench::measure {
namespace {

constexpr std::size_t kRanks = 3;

// The ranks' threads meet here. A rank throws if it waits for others that never come.
class Meeting {
 public:
  void take_largest(std::span<double> numbers) {
    std::unique_lock lock(mutex_);
    if (arrived_ == 0) {
      coming_.assign(numbers.begin(), numbers.end());
    } else if (coming_.size() != numbers.size()) {
      throw std::runtime_error("the ranks agree on different things");
    }
    for (std::size_t i = 0; i < numbers.size(); ++i) coming_[i] = std::max(coming_[i], numbers[i]);
    const std::size_t round = round_;
    if (++arrived_ == kRanks) {
      agreed_ = coming_;
      arrived_ = 0;
      ++round_;
      all_there_.notify_all();
    } else if (!all_there_.wait_for(lock, std::chrono::seconds(10), [&] { return round_ != round; })) {
      throw std::runtime_error("the other ranks do not come");
    }
    std::copy(agreed_.begin(), agreed_.end(), numbers.begin());
  }

 private:
  std::mutex mutex_;
  std::condition_variable all_there_;
  std::vector<double> coming_;
  std::vector<double> agreed_;
  std::size_t arrived_ = 0;
  std::size_t round_ = 0;
};

class RankAgreement final : public Agreement {
 public:
  explicit RankAgreement(Meeting& meeting) : meeting_(meeting) {}
  void take_largest(std::span<double> numbers) override {
    ++calls_;
    meeting_.take_largest(numbers);
  }
  [[nodiscard]] std::size_t calls() const { return calls_; }

 private:
  Meeting& meeting_;
  std::size_t calls_ = 0;
};

struct Scenario {
  const char* name;
  std::function<void(FakeMachine&)> machine;
  std::function<void(schema::MeasureSpec&)> spec;
  std::optional<std::int64_t> iterations{};
  bool latency = false;
  bool input = false;
  bool wrong_events = false;  // of rank 1
};

std::ostream& operator<<(std::ostream& out, const Scenario& scenario) {
  return out << scenario.name;
}

struct Rank {
  FakeMachine machine;
  schema::Launch launch;
  std::size_t calls = 0;
  std::string error;
};

// Ranks with different clock origins and different step times.
class AgreementTest : public testing::TestWithParam<Scenario> {
 protected:
  void SetUp() override {
    if (GetParam().spec) GetParam().spec(spec_);
    work_.iterations = GetParam().iterations;
  }

  // Runs each rank in its own thread.
  void measure(std::vector<Rank>& ranks, const std::function<Agreement&(std::size_t)>& agreement) {
    std::vector<std::thread> threads;
    for (std::size_t i = 0; i < kRanks; ++i) {
      threads.emplace_back([&, i] {
        Rank& rank = ranks[i];
        set_up(rank.machine, static_cast<double>(i));
        const InputParts parts{&rank.machine, &rank.machine};
        RecordingObserver observer;
        try {
          measure_launch(rank.machine, rank.machine, observer, agreement(i), spec_, work_, GetParam().latency,
                         rank.launch, GetParam().input ? &parts : nullptr);
        } catch (const std::exception& error) {
          rank.error = error.what();
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
  }

 private:
  static void set_up(FakeMachine& machine, double rank) {
    machine.origin_seconds = 1024 * rank;
    machine.cost_seconds = rank / (1 << 20);
    machine.synchronize_seconds = rank / (1 << 18);
    machine.step_seconds = [](std::int64_t step) { return step < 12 ? 1.0 / 16 : 1.0 / 64; };
    if (GetParam().machine) GetParam().machine(machine);
    if (GetParam().wrong_events && rank == 1) machine.event_clock.scale = 0.5;
    machine.step_seconds = [scale = 1 + rank / 8, steps = machine.step_seconds](std::int64_t step) {
      return scale * steps(step);
    };
  }

  schema::MeasureSpec spec_;
  WorkAmount work_;
};

TEST_P(AgreementTest, TheRanksTakeTheSameSteps) {
  Meeting meeting;
  std::vector<Rank> ranks(kRanks);
  std::deque<RankAgreement> own;
  for (std::size_t i = 0; i < kRanks; ++i) own.emplace_back(meeting);
  measure(ranks, [&](std::size_t i) -> Agreement& { return own[i]; });
  const schema::Launch& first = ranks[0].launch;
  EXPECT_FALSE(first.samples_seconds.empty());
  for (std::size_t i = 0; i < kRanks; ++i) {
    SCOPED_TRACE(i);
    const schema::Launch& launch = ranks[i].launch;
    EXPECT_EQ(ranks[i].error, "");
    EXPECT_EQ(ranks[i].machine.steps(), ranks[0].machine.steps());
    EXPECT_EQ(own[i].calls(), own[0].calls());
    EXPECT_EQ(launch.first_step_seconds, first.first_step_seconds);
    EXPECT_EQ(launch.warmup_samples_seconds, first.warmup_samples_seconds);
    EXPECT_EQ(launch.steps_per_sample, first.steps_per_sample);
    EXPECT_EQ(launch.samples_seconds.size(), first.samples_seconds.size());
    EXPECT_EQ(launch.latency_samples_seconds, first.latency_samples_seconds);
    const bool has_events = i != 1 || !GetParam().wrong_events;
    EXPECT_EQ(launch.event_samples_seconds.size(), has_events ? first.event_samples_seconds.size() : 0);
    EXPECT_EQ(launch.stopped_by, first.stopped_by);
    EXPECT_EQ(launch.unmet, first.unmet);
  }
}

// Shows that the test above can fail.
TEST_P(AgreementTest, AloneTheyWouldNot) {
  std::vector<Rank> ranks(kRanks);
  measure(ranks, [](std::size_t) -> Agreement& { return alone(); });
  EXPECT_NE(ranks[0].machine.steps(), ranks[kRanks - 1].machine.steps());
}

void queue(FakeMachine& machine) {
  machine.queue = true;
  machine.has_events = true;
}
void slow_synchronise(FakeMachine& machine) {
  machine.queue = true;
  machine.synchronize_seconds *= 1 << 9;
}
void short_steps(FakeMachine& machine) {
  machine.step_seconds = [](std::int64_t) { return 1.0 / (1 << 20); };
  machine.cost_seconds += 1.0 / (1 << 24);
}
void until_time_is_up(schema::MeasureSpec& spec) {
  spec.max_noise = -1;
  spec.max_time_seconds = 4;
}
void for_long(schema::MeasureSpec& spec) {
  spec.max_noise = -1;
  spec.max_time_seconds = 40;
}
void warm_up_steps(schema::MeasureSpec& spec) {
  until_time_is_up(spec);
  spec.warmup = {schema::WarmupSpec::Kind::steps, 20};
}
void no_warm_up(schema::MeasureSpec& spec) {
  until_time_is_up(spec);
  spec.warmup = {schema::WarmupSpec::Kind::steps, 0};
}
void warm_up_seconds(schema::MeasureSpec& spec) {
  spec.warmup = {schema::WarmupSpec::Kind::seconds, 1};
}

INSTANTIATE_TEST_SUITE_P(
    Launches, AgreementTest,
    testing::Values(Scenario{"steady", {}, {}}, Scenario{"time", {}, until_time_is_up},
                    Scenario{"short_steps", short_steps, {}}, Scenario{"warmup_steps", {}, warm_up_steps},
                    Scenario{"warmup_seconds", {}, warm_up_seconds}, Scenario{"no_warmup", short_steps, no_warm_up},
                    Scenario{"no_warmup_queue", queue, no_warm_up, {}, true}, Scenario{"queue", queue, {}, {}, true},
                    Scenario{"queue_time", queue, until_time_is_up, {}, true},
                    Scenario{"slow_synchronise", slow_synchronise, {}},
                    Scenario{"input", queue, for_long, {}, false, true}, Scenario{"iterations", queue, {}, 300},
                    Scenario{"wrong_events", queue, {}, {}, false, false, true}),
    [](const testing::TestParamInfo<Scenario>& one) { return std::string(one.param.name); });

// Measures a launch of steps of 1/64 s, also its latency.
schema::Launch launch_of(FakeMachine& machine, Agreement& agreement, bool queued) {
  machine.queue = queued;
  machine.has_events = queued;
  RecordingObserver observer;
  schema::Launch launch;
  measure_launch(machine, machine, observer, agreement, {}, {}, true, launch);
  return launch;
}

TEST(Agreement, TakesNoTimeInAWindow) {
  for (const bool queued : {false, true}) {
    FakeMachine machine;
    SlowAgreement agreement(machine, 1.0 / 128);
    const schema::Launch launch = launch_of(machine, agreement, queued);
    EXPECT_EQ(launch.first_step_seconds, 1.0 / 64);
    for (const auto* samples : {&launch.warmup_samples_seconds, &launch.samples_seconds,
                                &launch.latency_samples_seconds, &launch.event_samples_seconds})
      EXPECT_EQ(*samples, std::vector<double>(samples->size(), 1.0 / 64));
    EXPECT_FALSE(launch.samples_seconds.empty());
  }
}

// Another process on the same CPU begins each window when this one has ended its own, and takes as long.
class Neighbour final : public Agreement {
 public:
  explicit Neighbour(bool has_same_clock) : has_same_clock_(has_same_clock) {}
  void take_largest(std::span<double> numbers) override {
    constexpr std::size_t kJoint = 3;  // the end, the negative begin, and the end since the launch began
    if (numbers.size() == kJoint) numbers[0] += numbers[0] + numbers[1];
  }
  [[nodiscard]] bool shares_clock() const override { return has_same_clock_; }

 private:
  bool has_same_clock_;
};

TEST(Agreement, OfProcessesOnOneCpuIsFromTheFirstBeginToTheLastEnd) {
  const auto sample = [](bool queued, bool has_same_clock) {
    FakeMachine machine;
    Neighbour agreement(has_same_clock);
    const schema::Launch launch = launch_of(machine, agreement, queued);
    for (const double latency : launch.latency_samples_seconds) EXPECT_EQ(latency, 1.0 / 64);
    EXPECT_EQ(launch.warmup_samples_seconds.at(0), launch.samples_seconds.at(0));
    return launch.samples_seconds.at(0);
  };
  EXPECT_EQ(sample(false, true), 2.0 / 64);
  EXPECT_EQ(sample(false, false), 1.0 / 64);
  EXPECT_EQ(sample(true, true), 1.0 / 64) << "each has a device of its own";
}

TEST(Agreement, OfOneProcessChangesNothing) {
  std::vector<double> numbers{3, -1};
  alone().take_largest(numbers);
  EXPECT_EQ(numbers, (std::vector<double>{3, -1}));
}

constexpr double kComputeSeconds = 1.0 / 128;
constexpr double kAverageSeconds = 1.0 / 256;

// Passes the time of one average.
class Averaging final : public Step {
 public:
  explicit Averaging(FakeMachine& machine) : machine_(&machine) {}
  void run() override { machine_->idle(kAverageSeconds); }
  std::optional<double> loss() override { return std::nullopt; }

 private:
  FakeMachine* machine_;
};

// Another process takes at least so long for everything.
class SlowOther final : public Agreement {
 public:
  explicit SlowOther(double seconds) : seconds_(seconds) {}
  void take_largest(std::span<double> numbers) override {
    for (double& number : numbers) number = std::max(number, seconds_);
  }

 private:
  double seconds_;
};

struct CommunicationRow {
  double max_time_seconds;
  double other_seconds;
  std::int64_t windows;  // of 1/16 s, as long as those of the launch
};

TEST(Communication, HasTheSlowestProcessInTheLaunchAndItsOwnTimeInTheRank) {
  for (const auto& [max_time_seconds, other_seconds, windows] :
       {CommunicationRow{10, 0, 8}, {0.01, 0, 3}, {10, 1.0 / 32, 8}}) {
    FakeMachine machine;
    machine.step_seconds = [](std::int64_t) { return kComputeSeconds; };
    schema::Launch launch;
    launch.ranks.emplace_back();
    launch.samples_seconds = {1.0 / 64};
    launch.steps_per_sample = 4;
    Averaging averaging(machine);
    SlowOther other(other_seconds);
    schema::MeasureSpec spec;
    spec.max_time_seconds = max_time_seconds;
    measure_communication(machine, averaging, machine, other, spec, launch);
    ASSERT_TRUE(launch.communication.has_value());
    EXPECT_EQ(launch.communication->compute_step_seconds, std::max(kComputeSeconds, other_seconds));
    EXPECT_EQ(launch.communication->average_seconds, std::max(kAverageSeconds, other_seconds));
    EXPECT_EQ(launch.ranks.front().compute_step_seconds, kComputeSeconds);
    EXPECT_EQ(machine.steps(), 4 * windows) << "a share of the time, but at least a few windows";
  }
}

}  // namespace
}  // namespace mpsbench::measure
