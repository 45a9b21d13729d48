#include "base/json_file.hpp"
#include "base/resources.hpp"
#include "cli/commands/commands.hpp"
#include "cli/support.hpp"
#include "report/metrics/assemble.hpp"
#include "supervise/journal.hpp"
#include "support/sample_run.hpp"

#include <nlohmann/json.hpp>

namespace mpsbench::cli {
namespace {

using tests::contains;
using tests::mpsbench;
using tests::Scratch;
using tests::usage_error_of;

std::string own(const std::string& file) {
  return (base::share_folder() / file).string();
}

schema::RunRecord sample_record() {
  schema::RunRecord record = tests::sample_run(
      {tests::sample_spec("mlp", schema::Mode::train, 64), tests::sample_spec("mlp", schema::Mode::infer, 1)}, 2);
  record.run.status = schema::RunStatus::complete;
  record.launches[record.run.planned[0].id] = {tests::good_launch({0.01, 0.011}, 0)};
  return record;
}

std::string refusal(const std::string& file) {
  return usage_error_of([&] { (void)validate_file(file); });
}

TEST(Validate, SaysWhatAFileIs) {
  const Scratch scratch;
  EXPECT_EQ(validate_file(own("models/mlp.json")), "model mlp, 658,698 parameters, 5 layers");
  EXPECT_EQ(validate_file(own("configs/quick.json")), "suite quick, 10 cases");
  const schema::RunRecord record = sample_record();
  const std::string report =
      scratch.write("report.json", base::to_text(schema::to_json(report::assemble(record)), 1)).string();
  EXPECT_EQ(validate_file(report), "report of epyc-0a1b, 2 cases, 1 launch");
  const auto journal = scratch / "run.jsonl";
  (void)supervise::Journal::create(journal, record);
  EXPECT_EQ(validate_file(journal.string()), "journal of epyc-0a1b, 2 cases, 1 launch done");
}

TEST(Validate, NamesFileAndPathOfWhatIsWrong) {
  const Scratch scratch;
  const std::tuple<const char*, const char*, const char*> rows[] = {
      {"m.json", R"({"name": "m", "layers": [{"type": "conv3d"}],
      "inputs": [{"name": "x", "dtype": "float32", "shape": [8]}], "loss": "mse", "optimizer": {"name": "sgd"},
      "batch_size": 1, "rows": 1})",
       ": $.layers[0]"},
      {"s.json", R"({"name": "s", "matrices": [{"modes": "train"}]})",
       ": $.matrices[0]: unknown key 'modes' (did you mean 'mode'?)"},
      {"x.json", R"({"name": "x", "schema_version": 1, "matrices": [{"model": "mlp"}]})",
       ": $: unknown key 'schema_version'"},
      {"r.json", R"({"schema_version": 9})", ": $.schema_version: this program reads schema version 1"},
      {"j.jsonl", "{\"journal_version\":1}\n", ", line 1: $: the key 'process' is missing"},
      {"u.json", R"({"name": "s", "matrices": [{"model": "mpl"}]})",
       ": $.matrices[0].model: unknown model 'mpl' (did you mean 'mlp'?)"},
      {"d.json", R"({"name": "s", "name": "t", "matrices": [{"model": "mlp"}]})",
       ": the key \"name\" appears twice in one object"}};
  for (const auto& [name, content, said] : rows) {
    const std::string file = scratch.write(name, content).string();
    EXPECT_EQ(refusal(file).rfind(file + said, 0), 0U) << refusal(file);
  }
  const std::string twice =
      scratch.write("t.json", R"({"name": "s", "matrices": [{"model": "mlp"}, {"model": "mlp"}]})").string();
  EXPECT_TRUE(contains(refusal(twice), "appears twice in the plan"));
}

TEST(Validate, RefusesWhatIsNothingOfThese) {
  const Scratch scratch;
  for (const char* text : {"{}", "[]", "3", "null", "{\"a\": 1}"}) {
    EXPECT_TRUE(
        contains(refusal(scratch.write("x.json", text).string()), "$: this is no model (no key 'layers'), suite"))
        << text;
  }
  for (const char* text : {"", "garbage", "\xFF\xFE", "{\"layers\": [", "{} {}"}) {
    EXPECT_TRUE(contains(refusal(scratch.write("x.json", text).string()), "x.json: not valid JSON")) << text;
  }
  EXPECT_TRUE(contains(refusal(scratch.write("x.json", std::string(200'000, '[')).string()), "nested deeper"));
  EXPECT_TRUE(contains(refusal(scratch.root().string()), "is a folder, not a file"));
  EXPECT_TRUE(contains(refusal((scratch / "none").string()), "no such file"));
}

TEST(Validate, ChecksTheFilesBehindABrokenOneToo) {
  const Scratch scratch;
  const std::string broken = scratch.write("x.json", "{").string();
  const tests::Outcome outcome = mpsbench({"validate", broken, own("models/mlp.json")});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.out, own("models/mlp.json") + ": ok: model mlp, 658,698 parameters, 5 layers\n");
  EXPECT_EQ(outcome.err.rfind("mpsbench: " + broken + ": not valid JSON", 0), 0U) << outcome.err;
  EXPECT_EQ(mpsbench({"validate", own("models/mlp.json")}).code, 0);
}

TEST(Validate, WritesItsFindingsInAnyFormatOfLists) {
  const tests::CurrentScratch scratch;
  const tests::Outcome outcome = tests::mpsbench({"validate", "none.json", "-o", "found.json"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_EQ(outcome.out, "");
  const nlohmann::json found = nlohmann::json::parse(tests::content(scratch / "found.json"));
  EXPECT_EQ(found.at(0).at("valid"), false);
  EXPECT_EQ(found.at(0).at("file"), "none.json");
  EXPECT_TRUE(tests::contains(tests::failure(2, {"validate", "none.json", "-o", "csv"}), "write -f csv"));
}

}  // namespace
}  // namespace mpsbench::cli
