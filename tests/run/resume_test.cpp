#include "run/resume.hpp"

#include "base/json_file.hpp"
#include "base/safetensors.hpp"
#include "report/host/host_capture.hpp"
#include "report/metrics/assemble.hpp"
#include "run/support.hpp"
#include "schema/host.hpp"
#include "suite/dataset_choice.hpp"
#include "supervise/journal.hpp"
#include "support/mnist_files.hpp"

#include <algorithm>

namespace mpsbench::run {
namespace {

using tests::contains;
using tests::Scratch;
using tests::usage_error_of;

// Returns one case with two launches: the first is done, the second crashed.
schema::RunRecord half_done() {
  schema::RunRecord record = tests::sample_run({tests::sample_spec("mlp", schema::Mode::train, 64)}, 2);
  record.run.status = schema::RunStatus::partial;
  record.host.cpu = report::read_machine("/").cpu;
  record.host.environment = report::captured_environment();
  record.tool = schema::tool_info();
  record.launches[record.run.planned[0].id] = {tests::good_launch({0.01, 0.011}, 0),
                                               tests::bad_launch(schema::Status::crashed, "killed", 1)};
  return record;
}

std::string resume_refusal(const std::filesystem::path& file) {
  return usage_error_of([&] { (void)load_unfinished(file); });
}

std::string report_text(const schema::RunRecord& record) {
  return base::to_text(schema::to_json(report::assemble(record)));
}

TEST(Resume, StandsBesideWhatIsShownAlone) {
  suite::Settings settings;
  settings.resume.set("a.jsonl", "--resume");
  settings.verbose.set(true, "--verbose");
  settings.color.set(suite::ColourChoice::never, "--color");
  EXPECT_NO_THROW(refuse_beside_resume({}, settings));
  EXPECT_TRUE(contains(usage_error_of([&] { refuse_beside_resume({"quick"}, settings); }),
                       "--resume takes its suite from the file"));
  suite::find_option("seed")->set(settings, "1", "--seed");
  EXPECT_EQ(usage_error_of([&] { refuse_beside_resume({}, settings); }),
            "--seed: cannot be used with --resume, which keeps the run's own options");
}

TEST(Resume, GoesOnWithAJournal) {
  const Scratch scratch;
  const auto file = scratch / "a.jsonl";
  (void)supervise::Journal::create(file, half_done());
  const std::string before = tests::content(file);
  const UnfinishedRun run = load_unfinished(file);
  EXPECT_EQ(run.missing, 1U);
  EXPECT_TRUE(run.is_journal);
  EXPECT_EQ(run.record.run.status, schema::RunStatus::partial);
  EXPECT_EQ(tests::content(file), before) << "only running changes the file";
}

// The refusal of a run that CHANGE has made another one, without the name of its file.
template <typename Change>
std::string refusal_after(Change change) {
  const Scratch scratch;
  schema::RunRecord record = half_done();
  change(record);
  const std::string file = scratch.write("a.json", report_text(record)).string();
  const std::string said = resume_refusal(file);
  EXPECT_TRUE(said.starts_with("--resume: " + file)) << said;
  return said.substr(std::min(said.size(), ("--resume: " + file).size()));
}

TEST(Resume, StaysOnTheMachineWithItsBuildAndEnvironment) {
  EXPECT_EQ(refusal_after([](auto& record) { record.host.cpu.model = "Other 9000"; }),
            " was started on another machine (Other 9000); continue it there");
  EXPECT_TRUE(contains(refusal_after([](auto& record) { ++record.host.cpu.logical_cores; }), "on another machine"));
  const auto built = [](const std::string& version, bool is_changed) {
    return refusal_after([&](schema::RunRecord& record) {
      record.tool.version = version;
      record.tool.git_commit = "abc1234";
      record.tool.has_uncommitted_changes = is_changed;
    });
  };
  EXPECT_TRUE(built("0.0.9", false).starts_with(" was started by mpsbench 0.0.9 of commit abc1234, but this is"));
  EXPECT_TRUE(built("0.0.9", false).ends_with("; start a new run"));
  const std::string version = schema::tool_info().version;
  EXPECT_TRUE(contains(built(version, false), "of commit abc1234, but this is"));
  EXPECT_TRUE(contains(built(version, true), "of commit abc1234 with uncommitted changes, but this is"));
  EXPECT_EQ(refusal_after([](auto& record) { record.host.environment["OMP_OF_A_TEST"] = "3"; }),
            " was started with OMP_OF_A_TEST=3, but now runs with OMP_OF_A_TEST unset; set it as before, or start a "
            "new run");
}

TEST(Resume, StaysUnderTheLauncher) {
  const Scratch scratch;
  schema::RunRecord record = half_done();
  record.run.launcher = {"mpirun", 4, 2};
  const auto file = scratch.write("a.json", report_text(record));
  UnfinishedRun run = load_unfinished(file);
  tests::RecordingView view;
  EXPECT_EQ(usage_error_of([&] { (void)resume_run(run, false, view.sink()); }),
            "--resume: " + file.string() +
                " was started under mpirun with 4 processes on 2 machines, but now runs without a launcher; "
                "start it as before, or start a new run");
}

TEST(Resume, SaysThatTheFilesDefinitionIsBroken) {
  const Scratch scratch;
  schema::RunRecord record = half_done();
  nlohmann::json broken = record.run.definitions.begin()->second;
  broken.erase("layers");
  record.run.planned[0].definition_sha256 = schema::definition_sha256(broken);
  record.run.definitions = {{schema::definition_sha256(broken), broken}};
  const auto file = scratch / "a.jsonl";
  (void)supervise::Journal::create(file, record);
  EXPECT_TRUE(contains(resume_refusal(file), file.string() + ": mlp: $: the key 'layers' is missing"));
}

TEST(Resume, ChecksTheWeightsOfWhatIsMissing) {
  const Scratch scratch;
  schema::RunRecord record = half_done();
  const std::string weights = (scratch / "w.safetensors").string();
  record.run.planned[0].weights_path = weights;
  const auto file = scratch.write("a.json", report_text(record));
  EXPECT_EQ(resume_refusal(file), weights + ": no such file");
  scratch.write("w.safetensors", base::make_safetensors_header({}));
  EXPECT_TRUE(contains(resume_refusal(file), weights + ": these are not the weights of 'mlp'; missing: fc.weight"));
  record.launches[record.run.planned[0].id][1] = tests::good_launch({0.01}, 1);
  const auto whole = scratch.write("b.json", report_text(record));
  EXPECT_EQ(load_unfinished(whole).missing, 0U);
}

TEST(Resume, ChecksTheDataOfWhatIsMissing) {
  const Scratch scratch;
  tests::write_mnist(scratch, 20, 10);
  schema::RunRecord record = half_done();
  schema::PlannedCase& planned = record.run.planned[0];
  planned.data_path = scratch.root().string();
  planned.spec.dataset = schema::Dataset::mnist;
  planned.spec.data_files = suite::open_dataset(planned.spec.dataset, *planned.data_path, {}).files;
  EXPECT_EQ(load_unfinished(scratch.write("a.json", report_text(record))).missing, 1U);
  planned.spec.data_files.begin()->second = std::string(64, '0');
  EXPECT_TRUE(contains(resume_refusal(scratch.write("b.json", report_text(record))), "have changed since the run"));
}

TEST(Resume, RunsWhatIsMissingAndLeavesTheReport) {
  const Scratch scratch;
  const tests::ScopedVariable worker("MPSBENCH_WORKER", tests::fake_worker().c_str());
  schema::RunRecord record = half_done();
  record.host.libtorch.reset();
  const auto file = scratch / "a.jsonl";
  (void)supervise::Journal::create(file, record);
  UnfinishedRun run = load_unfinished(file);
  tests::RecordingView view;
  EXPECT_EQ(resume_run(run, false, view.sink()), base::ExitCode::ok);
  EXPECT_EQ(view.told, (std::vector<std::string>{"begin 1", "end", "report complete", "written a.json"}));
  EXPECT_FALSE(std::filesystem::exists(file));
  EXPECT_EQ(load_unfinished(scratch / "a.json").missing, 0U);
}

TEST(Resume, RefusesARunThatTookTurns) {
  const Scratch scratch;
  schema::RunRecord record = half_done();
  record.run.purpose = schema::Purpose::versus;
  record.run.gate.emplace();
  record.tool.version = "0.0.9";  // the other worker's version, which must not be the reason
  const auto file = scratch.write("a.json", report_text(record));
  EXPECT_EQ(resume_refusal(file), "--resume: the run of " + file.string() +
                                      " took turns with another worker and cannot be resumed; start a new run");
}

TEST(Resume, PointsToTheJournalOfAReportThatWasNeverWritten) {
  const Scratch scratch;
  (void)supervise::Journal::create(scratch / "k.jsonl", half_done());
  EXPECT_TRUE(contains(resume_refusal(scratch / "k.json"),
                       "k.json does not exist, but the journal of its run does; "
                       "name that: --resume " +
                           (scratch / "k.jsonl").string()));
}

TEST(Resume, SaysWhatIsWrongWithTheFile) {
  const Scratch scratch;
  EXPECT_TRUE(contains(resume_refusal(scratch / "none.jsonl"), "none.jsonl: no such file"));
  EXPECT_TRUE(contains(resume_refusal(scratch.root()), "is a folder, not a file"));
  EXPECT_TRUE(contains(resume_refusal(scratch.write("x.json", "garbage")), "x.json: not valid JSON"));
  EXPECT_TRUE(contains(resume_refusal(scratch.write("m.json", "{\"name\": \"mlp\"}")),
                       "$: the key 'schema_version' is missing"));
  EXPECT_TRUE(contains(resume_refusal(scratch.write("j.jsonl", "{\"journal_version\":1}\n")),
                       "j.jsonl, line 1: $: the key 'process'"));
}

}  // namespace
}  // namespace mpsbench::run
