#include "library/timing.hpp"

#include "support/errors.hpp"
#include "support/scratch.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <stdexcept>

namespace mpsbench {
namespace {

using tests::contains;
using tests::usage_error_of;

Loop short_loop() {
  Loop loop{.name = "my-network", .batch_size = 32, .threads = 1};
  loop.measure.min_time_seconds = 0.01;
  loop.measure.max_time_seconds = 0.05;
  return loop;
}

TEST(Timing, MakesAReportOfTheLoopThatCanBeReadAgain) {
  std::int64_t calls = 0;
  double sum = 0;
  const Report report = time_loop(short_loop(), [&] {
    ++calls;
    for (int i = 1; i < 1000; ++i) sum += 1.0 / i;
  });
  EXPECT_GT(sum, 0);

  ASSERT_EQ(report.cases.size(), 1U);
  const CaseResult& result = report.cases.front();
  EXPECT_EQ(result.id, "my-network/infer/cpu/b32/fp32/eager/synthetic");
  EXPECT_EQ(result.status, schema::Status::ok);
  EXPECT_EQ(report.run.status, schema::RunStatus::complete);
  EXPECT_TRUE(std::ranges::count(result.flags, "within-launch"));
  ASSERT_EQ(result.launches.size(), 1U);
  const Launch& launch = result.launches.front();
  ASSERT_FALSE(launch.samples_seconds.empty());
  EXPECT_LE(static_cast<std::int64_t>(launch.samples_seconds.size()) * launch.steps_per_sample, calls);
  EXPECT_GT(launch.peak_resident_bytes.value(), 0);
  const Metrics& metrics = result.metrics;
  EXPECT_NEAR(metrics.rows_per_second.value.value() * metrics.step_seconds.median.value(), 32, 1e-6);
  EXPECT_FALSE(metrics.parameters);
  EXPECT_TRUE(contains(result.notes.at("metrics.parameters"), "another program's loop"));

  const tests::Scratch folder;
  save_report(report, folder / "mine.json");
  EXPECT_EQ(schema::to_json(load_report(folder / "mine.json")), schema::to_json(report));
}

TEST(Timing, PassesOnWhatTheStepThrows) {
  EXPECT_THROW((void)time_loop(short_loop(), [] { throw std::out_of_range("row 7"); }), std::out_of_range);
}

TEST(Timing, RefusesWhatAReportCannotContain) {
  const auto message = [](const std::function<void(Loop&)>& change) {
    Loop loop = short_loop();
    change(loop);
    return usage_error_of([&] { (void)time_loop(loop, [] {}); });
  };
  EXPECT_TRUE(contains(message([](Loop& loop) { loop.name = "my/network"; }), "time_loop: name must be"));
  EXPECT_TRUE(contains(message([](Loop& loop) { loop.batch_size = 0; }), "loop.batch_size"));
  EXPECT_TRUE(contains(message([](Loop& loop) { loop.threads = 0; }), "time_loop: threads is missing"));
  EXPECT_TRUE(contains(message([](Loop& loop) { loop.threads = -1; }), "loop.threads"));
  EXPECT_TRUE(contains(message([](Loop& loop) { loop.rows = -1; }), "loop.rows"));
  EXPECT_TRUE(contains(message([](Loop& loop) { loop.measure.max_noise = -1; }), "loop.measure.max_noise"));
  EXPECT_TRUE(contains(message([](Loop& loop) { loop.mode = Mode::data; }), "infer or train"));
  EXPECT_TRUE(contains(message([](Loop& loop) { loop.synchronize = [] {}; }), "only for a GPU"));
  EXPECT_TRUE(contains(message([](Loop& loop) { loop.device = "mps"; }), "synchronize is missing"));
  EXPECT_TRUE(contains(message([](Loop& loop) {
                         loop.device = "cuda";
                         loop.synchronize = [] {};
                       }),
                       "read_result is missing"));
  EXPECT_TRUE(contains(usage_error_of([] { (void)time_loop(short_loop(), nullptr); }), "empty function"));
}

}  // namespace
}  // namespace mpsbench
