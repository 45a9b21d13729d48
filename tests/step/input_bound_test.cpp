// Steps that are fed by readers of any speed, on a scripted clock: what the report says of their waiting.
#include "device/device.hpp"
#include "measure/launch_fixture.hpp"
#include "nn/plans.hpp"
#include "report/flags.hpp"
#include "report/metrics.hpp"
#include "step/batch_feed.hpp"
#include "step/batch_step.hpp"
#include "support/sample_run.hpp"

#include <ATen/ATen.h>

#include <algorithm>
#include <deque>

namespace mpsbench::step {
namespace {

constexpr double kStep = 1.0 / 64;
constexpr std::int64_t kEpoch = 50;  // batches

class InputBoundTest : public measure::LaunchFixture {
 protected:
  void SetUp() override {
    machine_.step_seconds = [](std::int64_t) { return kStep; };
  }

  void pass(double seconds) {
    machine_.step_seconds = [seconds](std::int64_t) { return seconds; };
    machine_.run();
    machine_.step_seconds = [](std::int64_t) { return kStep; };
  }

  // Batches of which NEXT_SECONDS says how long the step waits for one.
  [[nodiscard]] BatchSource source(std::function<double()> next_seconds) {
    return {[this, next_seconds]() -> std::optional<data::Batch> {
              if (left_-- == 0) return std::nullopt;
              pass(next_seconds());
              return data::make_synthetic_batch(testing::small_mlp(4), 1, at::kCPU);
            },
            [this] { left_ = kEpoch; }};
  }

  // One that reads on in threads of its own, AHEAD batches at most before the one in use.
  [[nodiscard]] BatchSource source_ahead(double read_seconds, std::size_t ahead) {
    return source([this, read_seconds, ahead] {
      const double now = machine_.now_seconds();
      const double begin = taken_.size() < ahead ? done_ : std::max(done_, taken_.front());
      if (taken_.size() == ahead) taken_.pop_front();
      done_ = begin + read_seconds;
      taken_.push_back(std::max(now, done_));
      return std::max(0.0, done_ - now);
    });
  }

  // The metrics and flags of a launch of training fed by SOURCE.
  schema::CaseResult fed_by(BatchSource source) {
    data::Batch resident = data::make_synthetic_batch(testing::small_mlp(4), 1, at::kCPU);
    BatchFeed feed(resident, std::move(source), device::Device::open("cpu"));
    FedStep fed(machine_, feed);
    FeedStep feeding(feed);
    const measure::InputParts parts{&machine_, &feeding};
    measure_launch(fed, machine_, observer_, spec_, work_, false, launch_, &parts);
    schema::CaseResult result;
    result.spec = tests::sample_spec("mlp", schema::Mode::train, 4);
    result.spec.input = "host";
    result.launches = {launch_};
    result.metrics = report::compute_metrics(result.spec, report::WorkCounts{}, result.launches).metrics;
    result.flags = report::flags_of(result, 1, {});
    return result;
  }

  static bool is_input_bound(const schema::CaseResult& result) {
    return std::find(result.flags.begin(), result.flags.end(), "input-bound") != result.flags.end();
  }

 private:
  std::int64_t left_ = 0;
  std::deque<double> taken_;  // when each of the last AHEAD batches was
  double done_ = 0;           // the last read
};

TEST_F(InputBoundTest, ASlowReaderIsSeen) {
  const schema::CaseResult result = fed_by(source([] { return 3 * kStep; }));
  EXPECT_DOUBLE_EQ(result.metrics.data_wait_share.value(), 0.75);
  EXPECT_TRUE(is_input_bound(result));
}

TEST_F(InputBoundTest, AFastReaderIsNot) {
  const schema::CaseResult result = fed_by(source([] { return kStep / 15; }));
  EXPECT_NEAR(result.metrics.data_wait_share.value(), 1.0 / 16, 1e-9);
  EXPECT_FALSE(is_input_bound(result));
}

TEST_F(InputBoundTest, ReadingAheadHidesWhatTheStepTakes) {
  const schema::CaseResult result = fed_by(source_ahead(2 * kStep, 4));
  EXPECT_NEAR(result.metrics.data_wait_share.value(), 0.5, 1e-9);
  EXPECT_TRUE(is_input_bound(result));
}

TEST_F(InputBoundTest, ReadingAheadFastEnoughCostsNothing) {
  const schema::CaseResult result = fed_by(source_ahead(kStep / 2, 4));
  EXPECT_NEAR(result.metrics.data_wait_share.value(), 0, 1e-9);
  EXPECT_FALSE(is_input_bound(result));
}

TEST_F(InputBoundTest, BatchesAloneTakeWhatTheirReaderTakes) {
  BatchStep step(source([this] { return machine_.steps() % 2 == 0 ? kStep : 3 * kStep; }));
  measure_launch(step, machine_, observer_, spec_, work_, false, launch_);
  EXPECT_EQ(launch_.steps_per_sample, 8);
  for (const double sample : launch_.samples_seconds) EXPECT_DOUBLE_EQ(sample, 2 * kStep);
  EXPECT_FALSE(launch_.input_times || !launch_.losses.empty());
}

}  // namespace
}  // namespace mpsbench::step
