#include "cli/commands/run_display.hpp"

#include "cli/support.hpp"
#include "report/metrics/assemble.hpp"
#include "suite/support.hpp"
#include "support/compared.hpp"
#include "support/sample_run.hpp"

namespace mpsbench::cli {
namespace {

using tests::contains;

using Options = std::vector<std::pair<std::string, std::string>>;

// What ACTION makes a display of these options and outputs say.
template <typename Action>
tests::Outcome said(const Options& options, Action action, const std::vector<ChosenOutput>& outputs = {}) {
  return tests::caught([&] {
    RunDisplay display(tests::settings_of(options), outputs);
    action(display);
    return static_cast<int>(display.code());
  });
}

// The same with FORMAT on stdout.
template <typename Action>
tests::Outcome said_as(const char* format, Action action) {
  return said({}, action, {{output::find_format(format), kStdout}});
}

schema::RunRecord sample() {
  schema::RunRecord record = tests::sample_run({tests::sample_spec("mlp", schema::Mode::train, 64)}, 1);
  record.launches[record.run.planned[0].id] = {tests::good_launch(tests::steady_samples(0.01, 21))};
  return record;
}

TEST(RunDisplay, PrintsTheReportAsAsked) {
  const schema::Report report = report::assemble(sample());
  const auto show = [&report](RunDisplay& display) { display(run::ReportMade{report}); };
  EXPECT_TRUE(contains(said({}, show).out, "mlp"));
  EXPECT_EQ(said_as("json", show).out.substr(0, 1), "{");
  EXPECT_EQ(said_as("csv", show).out.substr(0, 3), "id,");
}

TEST(RunDisplay, WritesFilesBesideTheTable) {
  const tests::CurrentScratch scratch;
  const schema::Report report = report::assemble(sample());
  const auto write = [&](const std::string& file) {
    return said({}, [&](RunDisplay& display) { display(run::ReportMade{report}); },
                {{output::find_format("csv"), file}, {output::find_format("md"), "b.md"}});
  };
  const tests::Outcome both = write("a.csv");
  EXPECT_EQ(both.code, 0);
  EXPECT_TRUE(contains(both.out, "mlp")) << "the table";
  EXPECT_EQ(tests::content(scratch / "a.csv"), output::find_format("csv")->report({report}));
  const tests::Outcome one = write("gone/a.csv");
  EXPECT_EQ(one.code, static_cast<int>(base::ExitCode::incomplete));
  EXPECT_TRUE(contains(one.err, "gone/a.csv")) << one.err;
  EXPECT_EQ(tests::content(scratch / "b.md").front(), '|') << "one failure does not stop the others";
}

TEST(RunDisplay, NamesTheReportWhereItDoesNotDisturb) {
  const auto name = [](RunDisplay& display) { display(run::ReportWritten{"a.json", false}); };
  EXPECT_EQ(said({}, name).out, "report  a.json\n");
  const tests::Outcome csv = said_as("csv", name);
  EXPECT_EQ(csv.out, "");
  EXPECT_TRUE(contains(csv.err, "report  a.json"));
  const tests::Outcome plain = said({{"plain", "true"}}, name);
  EXPECT_EQ(plain.out, "");
}

TEST(RunDisplay, SaysHowToGoOnWithANameThatNeedsQuotes) {
  const auto name = [](RunDisplay& display) { display(run::ReportWritten{"my run.json", true}); };
  EXPECT_TRUE(contains(said({}, name).err, "to continue: mpsbench run --resume 'my run.json'"));
}

// A run of two cases, of which the second is on DEVICE.
schema::RunRecord record_on(const schema::DeviceId& device) {
  schema::CaseSpec spec = tests::sample_spec("mlp", schema::Mode::train, 64);
  schema::RunRecord record = tests::sample_run({spec, spec}, 1);
  record.run.planned[1].id = "other";
  record.run.planned[1].spec.device = device;
  record.run.planned[1].spec.model = "resnet18";
  return record;
}

TEST(RunDisplay, PrintsTheHeaderOnceWhenTheFirstWorkerSpeaks) {
  schema::RunRecord record = record_on("mps");
  const schema::HelloEvent hello{.libtorch = std::exchange(record.host.libtorch, std::nullopt).value()};
  const tests::Outcome outcome = said({{"no-progress", "true"}}, [&](RunDisplay& display) {
    for (int round = 0; round < 2; ++round) {
      display(run::LaunchesBegin{{&record}, std::nullopt});
      for (int worker = 0; worker < 2; ++worker) display(supervise::WorkerSaid{hello});
      display(run::LaunchesEnd{});
    }
  });
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.out.rfind("mpsbench ", 0), 0U) << outcome.out;
  EXPECT_EQ(outcome.out.find('\n') + 1, outcome.out.size()) << outcome.out;
  for (const char* part : {"AMD EPYC", "LibTorch 2.13.0+cpu", "device cpu, mps"})
    EXPECT_TRUE(contains(outcome.out, part)) << outcome.out;
}

TEST(RunDisplay, KeepsStdoutForDataAndNamesTheCaseOfASkippedLaunch) {
  const schema::RunRecord record = record_on("cpu");
  const tests::Outcome outcome = said_as("json", [&](RunDisplay& display) {
    display(run::LaunchesBegin{{&record}, std::nullopt});
    display(supervise::LaunchStarted{{0, 0, 0, 2}});
    for (const schema::Event& event : {schema::Event(schema::HelloEvent{.libtorch = record.host.libtorch.value()}),
                                       schema::Event(schema::PhaseEvent{schema::Phase::warmup}),
                                       schema::Event(schema::ProgressEvent{10, 0.01, 0.02, 2.3})})
      display(supervise::WorkerSaid{event});
    display(supervise::LaunchEnded{{0, 0, 1, 2}, tests::good_launch(tests::steady_samples(0.01, 21))});
    display(supervise::LaunchEnded{{1, 0, 2, 2}, tests::bad_launch(schema::Status::skipped, "too large")});
    display(run::LaunchesEnd{});
  });
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(contains(outcome.err, "[1/2] mlp")) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "[2/2] resnet18")) << outcome.err;
}

TEST(RunDisplay, KeepsAComparisonOffStdoutThatIsToBeParsed) {
  const report::ComparedReport before =
      tests::compared_report("a", {tests::compared_case("x/train/cpu/b1", {1, 1.001, 1.002})});
  const report::ComparedReport after =
      tests::compared_report("b", {tests::compared_case("x/train/cpu/b1", {2, 2.001, 2.002})});
  const report::Comparison comparison = report::compare(before, after, {});
  const auto show = [&](RunDisplay& display) { display(run::ComparisonMade{comparison, {"a note"}}); };
  EXPECT_TRUE(contains(said({}, show).out, "slower\n"));
  EXPECT_TRUE(contains(said_as("md", show).out, "| slower |"));
  const tests::Outcome json = said_as("json", show);
  EXPECT_EQ(json.out, "");
  EXPECT_TRUE(contains(json.err, "slower\n") && contains(json.err, "note: a note")) << json.err;
}

TEST(RunDisplay, KeepsACalibrationOffStdoutThatIsToBeParsed) {
  const auto show = [](RunDisplay& display) { display(run::Calibrated{{{"x/train/cpu/b1", 3, std::nullopt}}}); };
  EXPECT_TRUE(contains(said({}, show).out, "too few good launches"));
  EXPECT_EQ(said_as("json", show).out, "");
}

TEST(RunDisplay, TellsATrialWithoutMovingTheCursor) {
  const auto tell = [](RunDisplay& display) { display(run::BatchTried{"mlp/train\x1b[2J", "batch 8 fits"}); };
  const std::string text = said({}, tell).err;
  EXPECT_TRUE(contains(text, "batch 8 fits")) << text;
  EXPECT_FALSE(contains(text, "\x1b[2J"));
}

TEST(RunDisplay, TellsWhatWasCompiledAndWhatCouldNotBe) {
  const auto compile = [](RunDisplay& display) {
    display(run::Compiling{"mlp/train", "tracing", 1, std::nullopt});  // stderr is no terminal here
    display(run::Compiled{"mlp/train", 31.04});
    display(run::NotCompiled{"evil\x1b[2J", "no compiler\x1b[2J"});
  };
  const tests::Outcome outcome = said({}, compile);
  EXPECT_EQ(outcome.out, "");
  EXPECT_TRUE(contains(outcome.err, "compiled mlp/train in 31.0 s\n")) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, "warning: evil")) << outcome.err;
  EXPECT_TRUE(contains(outcome.err, ": no compiler")) << outcome.err;
  EXPECT_FALSE(contains(outcome.err, "tracing") || contains(outcome.err, "\x1b")) << outcome.err;
}

}  // namespace
}  // namespace mpsbench::cli
