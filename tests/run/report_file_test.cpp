#include "base/json_file.hpp"
#include "run/plan/places.hpp"
#include "run/support.hpp"
#include "schema/samples.hpp"
#include "supervise/journal.hpp"

namespace mpsbench::run {
namespace {

using tests::contains;
using tests::usage_error_of;

TEST(ReportFile, ReadsAReport) {
  const tests::Scratch scratch;
  const std::string file = scratch.write("r.json", base::to_text(schema::to_json(tests::full_report()))).string();
  EXPECT_EQ(read_report_file(file).host.name, tests::full_host().name);
}

TEST(ReportFile, NamesTheFileThatIsNone) {
  const tests::Scratch scratch;
  const std::string file = scratch.write("r.json", "{}").string();
  EXPECT_TRUE(contains(usage_error_of([&] { (void)read_report_file(file); }), file + ": $"));
}

TEST(ReportFile, SaysWhatToDoWithAJournal) {
  const tests::Scratch scratch;
  const std::string file = (scratch.root() / "r.jsonl").string();
  (void)supervise::Journal::create(file, {{}, tests::full_run(), tests::full_host(), {}});
  EXPECT_TRUE(contains(usage_error_of([&] { (void)read_report_file(file); }), "mpsbench run --resume " + file));
}

TEST(ReportFile, SaysWhatToDoWithASuiteOrModel) {
  const tests::Scratch scratch;
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
