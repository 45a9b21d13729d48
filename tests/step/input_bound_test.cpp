// Steps that get their batches from readers of different speeds, on a scripted clock. The tests check what
// the report says about the waiting.
#include "device/device.hpp"
#include "measure/launch_fixture.hpp"
#include "nn/plans.hpp"
#include "report/metrics/flags.hpp"
#include "report/metrics/metrics.hpp"
#include "step/feed.hpp"
#include "support/sample_run.hpp"

#include <ATen/ATen.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <utility>

namespace mpsbench::step {
namespace {

constexpr double kStep = 1.0 / 64;
constexpr std::int64_t kEpoch = 50;  // number of batches

using Batches = std::unique_ptr<data::Batches>;

// Epochs of batches. Preparing a batch calls READ.
class ReadBatches final : public data::Batches {
 public:
  explicit ReadBatches(std::function<void()> read) : read_(std::move(read)) {}

  void begin_epoch() override { left_ = kEpoch; }
  [[nodiscard]] std::optional<data::Batch> next() override {
    if (left_-- == 0) return std::nullopt;
    read_();
    return data::make_synthetic_batch(tests::small_mlp(4), 1, at::kCPU);
  }

 private:
  std::function<void()> read_;
  std::int64_t left_ = 0;
};

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

  // Batches for which a step waits NEXT_SECONDS() each.
  [[nodiscard]] Batches batches(std::function<double()> next_seconds) {
    return std::make_unique<ReadBatches>([this, next_seconds] { pass(next_seconds()); });
  }

  // Returns a reader with separate threads. It is at most AHEAD batches ahead of the batch in use.
  [[nodiscard]] Batches batches_ahead(double read_seconds, std::size_t ahead) {
    return batches([this, read_seconds, ahead] {
      const double now = machine_.now_seconds();
      const double begin = taken_.size() < ahead ? done_ : std::max(done_, taken_.front());
      if (taken_.size() == ahead) taken_.pop_front();
      done_ = begin + read_seconds;
      taken_.push_back(std::max(now, done_));
      return std::max(0.0, done_ - now);
    });
  }

  // Returns the metrics and flags of a training launch that gets its batches from FROM.
  schema::CaseResult fed_by(Batches from) {
    data::Batch resident = data::make_synthetic_batch(tests::small_mlp(4), 1, at::kCPU);
    Feed feed(resident, std::move(from), device::Device::open("cpu"));
    FedStep fed(machine_, feed);
    const measure::InputParts parts{&machine_, &feed};
    measure_launch(fed, machine_, observer_, measure::alone(), spec_, work_, false, launch_, &parts);
    schema::CaseResult result;
    result.spec = tests::sample_spec("mlp", schema::Mode::train, 4);
    result.spec.input = schema::Input::host;
    result.launches = {launch_};
    result.metrics = report::compute_metrics(result.spec, schema::NetworkPlan{}, result.launches).metrics;
    result.flags = report::flags_of(result, 1, {});
    return result;
  }

  static bool is_input_bound(const schema::CaseResult& result) {
    return std::find(result.flags.begin(), result.flags.end(), "input-bound") != result.flags.end();
  }

  std::deque<double> taken_;  // when each of the last AHEAD batches was taken
  double done_ = 0;           // when the last read ended
};

TEST_F(InputBoundTest, ASlowReaderIsSeenUnlessItReadsAhead) {
  const auto expect = [this](Batches from, double share, bool is_bound) {
    launch_ = {};
    const schema::CaseResult result = fed_by(std::move(from));
    EXPECT_NEAR(result.metrics.data_wait_share.value(), share, 1e-9);
    EXPECT_EQ(is_input_bound(result), is_bound) << share;
  };
  expect(batches([] { return 3 * kStep; }), 0.75, true);
  expect(batches([] { return kStep / 15; }), 1.0 / 16, false);
  expect(batches_ahead(2 * kStep, 4), 0.5, true);
  taken_.clear();
  expect(batches_ahead(kStep / 2, 4), 0, false);
}

TEST_F(InputBoundTest, BatchesAloneTakeWhatTheirReaderTakes) {
  DataStep step(batches([this] { return machine_.steps() % 2 == 0 ? kStep : 3 * kStep; }));
  measure_launch(step, machine_, observer_, measure::alone(), spec_, work_, false, launch_);
  EXPECT_EQ(launch_.steps_per_sample, 8);
  for (const double sample : launch_.samples_seconds) EXPECT_DOUBLE_EQ(sample, 2 * kStep);
  EXPECT_FALSE(launch_.input_times || !launch_.losses.empty());
}

}  // namespace
}  // namespace mpsbench::step
