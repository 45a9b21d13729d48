#include "run/plan/places.hpp"

#include "base/json_file.hpp"
#include "run/support.hpp"
#include "schema/samples.hpp"
#include "supervise/journal.hpp"

namespace mpsbench::run {
namespace {

using tests::contains;
using tests::Scratch;
using tests::usage_error_of;

schema::RunRecord one_case() {
  return tests::sample_run({tests::sample_spec("mlp", schema::Mode::train, 64)}, 1);
}

// Returns the error message of a run of RECORD whose user named the file REPORT.
std::string places_refusal(const std::filesystem::path& report, const schema::RunRecord& record = one_case()) {
  return usage_error_of([&] { require_places(record, report, true); });
}

TEST(JournalPath, StandsBesideTheReport) {
  EXPECT_EQ(journal_path("results/a.json"), "results/a.jsonl");
  EXPECT_EQ(journal_path("a"), "a.jsonl");
  EXPECT_EQ(journal_path("a.txt"), "a.txt.jsonl");
  EXPECT_EQ(journal_path("m1-2026.11.json"), "m1-2026.11.jsonl");
  EXPECT_EQ(journal_path("/x.json/a.json"), "/x.json/a.jsonl");
}

TEST(RequirePlaces, RefusesAPlaceThatIsNoFile) {
  const Scratch scratch;
  std::filesystem::create_directory(scratch / "folder");
  EXPECT_EQ(places_refusal(scratch / "folder"), "cannot write " + (scratch / "folder").string() +
                                                    ": this is a folder; choose another place with --export-json");
  EXPECT_TRUE(contains(places_refusal(scratch / "new/"), "this is a folder"));
  EXPECT_FALSE(std::filesystem::exists(scratch / "new"));
  EXPECT_TRUE(contains(places_refusal("/dev/null"), "is not a regular file"));
  EXPECT_TRUE(contains(places_refusal(scratch / "a.jsonl"), "would be the journal's name"));
  EXPECT_TRUE(contains(places_refusal(scratch.write("file", "") / "a.json"), "Not a directory"));
}

TEST(RequirePlaces, RefusesAPlaceWhereNothingCanBeDumped) {
  const Scratch scratch;
  schema::RunRecord record = one_case();
  record.run.planned[0].dump_first_step_path = scratch.write("file", "") / "d.safetensors";
  const std::string message = places_refusal(scratch / "a.json", record);
  EXPECT_TRUE(contains(message, "Not a directory; choose another place with --dump-first-step")) << message;
  record.run.planned[0].dump_first_step_path = scratch.root();
  EXPECT_TRUE(
      contains(places_refusal(scratch / "a.json", record), "this is a folder; choose another place with --dump"));
  for (const char* own : {"a.json", "a.jsonl"}) {
    record.run.planned[0].dump_first_step_path = (scratch / own).string();
    EXPECT_TRUE(contains(places_refusal(scratch / "a.json", record),
                         std::string(own) + " is the report's file; choose another"));
  }
  EXPECT_FALSE(std::filesystem::exists(scratch / "a.jsonl"));
}

TEST(RequirePlaces, KeepsTheJournalOfAnUnfinishedRun) {
  const Scratch scratch;
  scratch.write("a.jsonl", "precious");
  EXPECT_TRUE(contains(places_refusal(scratch / "a.json"), "continue it with --resume, or delete it"));
  EXPECT_NO_THROW(require_places(one_case(), scratch / "a.json", false)) << "a run without a name takes another";
  EXPECT_EQ(tests::content(scratch / "a.jsonl"), "precious");
}

TEST(RequirePlaces, LooksAfterTheOtherWorkersReportToo) {
  const Scratch scratch;
  schema::RunRecord record = one_case();
  scratch.write("a-versus.jsonl", "precious");
  EXPECT_NO_THROW(require_places(record, scratch / "a.json", true));
  record.run.purpose = schema::Purpose::versus;
  EXPECT_TRUE(
      contains(places_refusal(scratch / "a.json", record), "a-versus.jsonl: this is the journal of an unfinished run"));
  record.run.planned[0].dump_first_step_path = (scratch / "d.safetensors").string();
  EXPECT_TRUE(contains(places_refusal(scratch / "b.json", record), "--dump-first-step: cannot be used with --versus"));
}

TEST(RequirePlace, NamesTheOptionAndKnowsTheNextOneFromAFile) {
  const Scratch scratch;
  const auto refusal = [](const std::filesystem::path& place, const std::string& option) {
    return usage_error_of([&] { require_place(place, option); });
  };
  EXPECT_TRUE(
      contains(refusal("--dry-run", "--export-json"), "--export-json: its value is missing before '--dry-run'"));
  EXPECT_TRUE(contains(refusal("-", "--export-json"), "only --output takes -"));
  EXPECT_TRUE(contains(refusal(scratch.root(), "--here"), "choose another place with --here"));
  require_place(scratch / "-a.json", "--export-json");
}

TEST(Outputs, MustBeWritableAndLieApartFromTheOtherFiles) {
  const Scratch scratch;
  Options options;
  options.baseline = scratch / "old.json";
  const auto refusal = [&](const std::filesystem::path& file) {
    options.outputs = {file};
    return usage_error_of([&] { require_outputs(one_case(), scratch / "r.json", options); });
  };
  EXPECT_TRUE(contains(refusal(scratch.root()), "choose another place with --output"));
  EXPECT_TRUE(contains(refusal("/dev/null/x"), "/dev/null/x"));
  for (const char* file : {"r.json", "x/../r.json", "r.jsonl", "r.json.1", "old.json"})
    EXPECT_TRUE(contains(refusal(scratch / file), "is another file of this run")) << file;
}

TEST(Outputs, AreProvedWithoutTraces) {
  const Scratch scratch;
  Options options;
  options.outputs = {scratch / "a/b/c.csv"};
  require_outputs(one_case(), scratch / "r.json", options, FolderCheck::without_traces);
  EXPECT_FALSE(std::filesystem::exists(scratch / "a"));
  require_outputs(one_case(), scratch / "r.json", options);
  EXPECT_TRUE(std::filesystem::is_empty(scratch / "a/b"));
}

TEST(Places, KeepsAnEarlierFileUnderTheNextFreeNumber) {
  const tests::Scratch scratch;
  const std::filesystem::path report = scratch.root() / "a.json";
  keep_earlier(report);
  EXPECT_TRUE(std::filesystem::is_empty(scratch.root()));
  for (const char* text : {"first", "second"}) {
    (void)scratch.write("a.json", text);
    keep_earlier(report);
  }
  EXPECT_FALSE(std::filesystem::exists(report));
  EXPECT_EQ(tests::content(scratch.root() / "a.json.1"), "first");
  EXPECT_EQ(tests::content(scratch.root() / "a.json.2"), "second");
}

TEST(ReportFile, ReadsAReport) {
  const Scratch scratch;
  const std::string file = scratch.write("r.json", base::to_text(schema::to_json(tests::full_report()))).string();
  EXPECT_EQ(read_report_file(file).host.name, tests::full_host().name);
}

TEST(ReportFile, NamesTheFileThatIsNone) {
  const Scratch scratch;
  const std::string file = scratch.write("r.json", "{}").string();
  EXPECT_TRUE(contains(usage_error_of([&] { (void)read_report_file(file); }), file + ": $"));
}

TEST(ReportFile, SaysWhatToDoWithAJournal) {
  const Scratch scratch;
  const std::string file = (scratch.root() / "r.jsonl").string();
  (void)supervise::Journal::create(file, {{}, tests::full_run(), tests::full_host(), {}});
  EXPECT_TRUE(contains(usage_error_of([&] { (void)read_report_file(file); }), "mpsbench run --resume " + file));
}

TEST(ReportFile, SaysWhatToDoWithASuiteOrModel) {
  const Scratch scratch;
  const std::string suite = scratch.write("s.json", R"({"schema_version": 1, "matrices": [{}]})").string();
  const std::string model = scratch.write("m.json", R"({"name": "m", "layers": []})").string();
  const auto refusals = [](const std::string& file) {
    const std::string one = usage_error_of([&] { (void)read_report_file(file); });
    std::string remark;
    EXPECT_EQ(usage_error_of([&] { (void)read_compared_file(file, remark); }), one);
    return one;
  };
  EXPECT_EQ(refusals(suite), suite + ": this is a suite, not a report; measure it with mpsbench run " + suite);
  EXPECT_EQ(refusals(model), model + ": this is a model, not a report; measure it with mpsbench run --model " + model);
}

}  // namespace
}  // namespace mpsbench::run
