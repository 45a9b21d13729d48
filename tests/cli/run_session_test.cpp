#include "cli/run_session.hpp"

#include "cli/support.hpp"
#include "suite/option.hpp"
#include "support/sample_run.hpp"

namespace mpsbench::cli {
namespace {

using tests::contains;
using tests::Scratch;
using tests::usage_error_of;

schema::RunRecord one_case() {
  return tests::sample_run({tests::sample_spec("mlp", schema::Mode::train, 64)}, 1);
}

// What a new run says to the place REPORT, before it starts a worker (there is none).
std::string refusal(const std::filesystem::path& report, schema::RunRecord record = one_case()) {
  const tests::ScopedVariable worker("MPSBENCH_WORKER", "/nowhere/mpsbench-worker");
  suite::Settings settings;
  Sequel none;
  settings.set(*suite::find_option("export-json"), report.string(), "--export-json");
  return usage_error_of([&] { (void)start_session(record, report, settings, [] {}, none); });
}

TEST(JournalPath, StandsBesideTheReport) {
  EXPECT_EQ(journal_path("results/a.json"), "results/a.jsonl");
  EXPECT_EQ(journal_path("a"), "a.jsonl");
  EXPECT_EQ(journal_path("a.txt"), "a.txt.jsonl");
  EXPECT_EQ(journal_path("m1-2026.11.json"), "m1-2026.11.jsonl");
  EXPECT_EQ(journal_path("/x.json/a.json"), "/x.json/a.jsonl");
}

TEST(StartSession, RefusesAPlaceThatIsNoFile) {
  const Scratch scratch;
  std::filesystem::create_directory(scratch / "folder");
  EXPECT_EQ(refusal(scratch / "folder"), "--export-json: " + (scratch / "folder").string() +
                                             " is not a regular file; choose another place");
  EXPECT_TRUE(contains(refusal(scratch / "new/"), "is not a regular file"));
  EXPECT_FALSE(std::filesystem::exists(scratch / "new"));
  EXPECT_TRUE(contains(refusal("/dev/null"), "is not a regular file"));
  EXPECT_TRUE(contains(refusal(scratch / "a.jsonl"), "would be the journal's name"));
  EXPECT_TRUE(contains(refusal(scratch.write("file", "") / "a.json"), "Not a directory"));
}

TEST(StartSession, RefusesAPlaceWhereNothingCanBeDumped) {
  const Scratch scratch;
  schema::RunRecord record = one_case();
  record.run.plan[0].dump_first_step_path = scratch.write("file", "") / "d.safetensors";
  const std::string message = refusal(scratch / "a.json", record);
  EXPECT_TRUE(contains(message, "Not a directory; choose another place with --dump-first-step")) << message;
  record.run.plan[0].dump_first_step_path = scratch.root();
  EXPECT_TRUE(contains(refusal(scratch / "a.json", record), "--dump-first-step: " + scratch.root().string()));
  record.run.plan[0].dump_first_step_path = (scratch / "a.json").string();
  EXPECT_TRUE(contains(refusal(scratch / "a.json", record), "a.json is the report's place; choose another"));
  EXPECT_FALSE(std::filesystem::exists(scratch / "a.jsonl"));
}

TEST(StartSession, KeepsTheJournalOfAnUnfinishedRun) {
  const Scratch scratch;
  scratch.write("a.jsonl", "precious");
  EXPECT_TRUE(contains(refusal(scratch / "a.json"), "go on with it by --resume, or delete it"));
  EXPECT_EQ(tests::content(scratch / "a.jsonl"), "precious");
}

TEST(StartSession, SaysThatTheWorkerIsMissingBeforeAJournalExists) {
  const Scratch scratch;
  EXPECT_TRUE(
      contains(refusal(scratch / "a.json"), "the worker program /nowhere/mpsbench-worker is missing"));
  EXPECT_TRUE(std::filesystem::is_empty(scratch.root()));
}

}  // namespace
}  // namespace mpsbench::cli
