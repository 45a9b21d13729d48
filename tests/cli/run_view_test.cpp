#include "cli/commands/run_display.hpp"
#include "cli/support.hpp"
#include "support/sample_run.hpp"

namespace mpsbench::cli {
namespace {

using output::Progress;
using tests::contains;

schema::RunRecord record_on(const schema::DeviceId& device) {
  schema::CaseSpec spec = tests::sample_spec("mlp", schema::Mode::train, 64);
  schema::RunRecord record = tests::sample_run({spec, spec}, 1);
  record.run.planned[1].spec.device = device;
  record.host.libtorch.reset();
  return record;
}

schema::LibtorchInfo libtorch() {
  schema::LibtorchInfo info;
  info.version = "2.13.0";
  return info;
}

TEST(RunView, PrintsTheHeaderWhenTheFirstWorkerSpeaks) {
  const schema::RunRecord record = record_on("cpu");
  const tests::Outcome outcome = tests::caught([&] {
    RunView view({&record}, Progress::Style::none, true);
    view.on_hello(libtorch());
    view.on_hello(libtorch());
    view.finish();
    return 0;
  });
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.out.rfind("mpsbench ", 0), 0U) << outcome.out;
  EXPECT_EQ(outcome.out.find('\n') + 1, outcome.out.size()) << "printed once";
  for (const char* part : {"AMD EPYC", "LibTorch 2.13.0", "device cpu"}) {
    EXPECT_TRUE(contains(outcome.out, part)) << outcome.out;
  }
}

TEST(RunView, NamesEveryDeviceOfThePlan) {
  const schema::RunRecord record = record_on("mps");
  const tests::Outcome outcome = tests::caught([&] {
    RunView({&record}, Progress::Style::none, true).on_hello(libtorch());
    return 0;
  });
  EXPECT_TRUE(contains(outcome.out, "device cpu, mps")) << outcome.out;
}

TEST(RunView, KeepsStdoutForDataWhenItIsToBeParsed) {
  const schema::RunRecord record = record_on("cpu");
  const tests::Outcome outcome = tests::caught([&] {
    RunView view({&record}, Progress::Style::plain, false);
    view.on_hello(libtorch());
    view.on_launch_start({0, 0, 0, 2});
    view.on_phase(schema::Phase::warmup);
    view.on_progress({10, 0.01, 0.02, 2.3});
    view.on_launch_end({0, 0, 1, 2}, tests::good_launch(tests::steady_samples(0.01, 21)));
    view.finish();
    return 0;
  });
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(contains(outcome.err, "mlp")) << "progress goes to stderr";
}

TEST(RunView, NamesTheCaseOfASkippedLaunch) {
  schema::RunRecord record = record_on("cpu");
  record.run.planned[1].id = "other";
  record.run.planned[1].spec.model = "resnet18";
  const tests::Outcome outcome = tests::caught([&] {
    RunView view({&record}, Progress::Style::plain, false);
    view.on_launch_start({0, 0, 0, 2});
    view.on_launch_end({0, 0, 1, 2}, tests::bad_launch(schema::Status::oom, "too large"));
    view.on_launch_end({1, 0, 2, 2}, tests::bad_launch(schema::Status::skipped, "too large"));
    return 0;
  });
  EXPECT_TRUE(contains(outcome.err, "[2/2] resnet18")) << outcome.err;
}

}  // namespace
}  // namespace mpsbench::cli
