#include "base/json_file.hpp"
#include "cli/commands/commands.hpp"
#include "cli/support.hpp"
#include "output/export/export_formats.hpp"
#include "report/metrics/assemble.hpp"
#include "support/sample_run.hpp"

#include <nlohmann/json.hpp>

namespace mpsbench::cli {
namespace {

using tests::contains;
using tests::CurrentScratch;
using tests::failure;
using tests::mpsbench;

// A report of a case that was measured by a launch that began at START, and of one whose launch crashed.
void write_report(const CurrentScratch& scratch, const std::string& name, int hour = 10,
                  const std::string& host = "epyc-0a1b") {
  schema::RunRecord record = tests::sample_run(
      {tests::sample_spec("mlp", schema::Mode::train, 64), tests::sample_spec("mlp", schema::Mode::train, 8)}, 1);
  record.host.name = host;
  record.run.id = name;
  schema::Launch launch = tests::good_launch(tests::steady_samples(0.01, 21));
  launch.started_at = record.run.started_at = "2026-11-21T" + std::to_string(hour) + ":00:00Z";
  record.launches[record.run.planned[0].id] = {launch};
  record.launches[record.run.planned[1].id] = {tests::bad_launch(schema::Status::crashed, "signal 11")};
  record.launches[record.run.planned[1].id][0].started_at = launch.started_at;
  (void)scratch.write(name, base::to_text(schema::to_json(report::assemble(record)), 1));
}

TEST(Export, WritesEachFormatToStdoutAndToAFile) {
  const CurrentScratch scratch;
  write_report(scratch, "r.json");
  for (const output::ExportFormat& format : output::export_formats()) {
    const tests::Outcome outcome = mpsbench({"export", "r.json", "--format", format.name});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, format.leaves_out ? "warning: " + format.name +
                                                   " has no place for what was not measured: 1 case of 2 is "
                                                   "left out\n"
                                             : "");
    const std::string file = "new/" + format.name;
    EXPECT_EQ(mpsbench({"export", "r.json", "-f", format.name, "-o", file}).out, "");
    EXPECT_EQ(tests::content(scratch / file), outcome.out) << format.name;
    EXPECT_EQ(mpsbench({"export", "r.json", "-f", format.name, "-o", "-"}).out, outcome.out);
  }
}

TEST(Export, RefusesWhatItCannotWrite) {
  const CurrentScratch scratch;
  write_report(scratch, "r.json");
  const std::string said = failure(2, {"export", "r.json", "--format", "xml"});
  for (const output::ExportFormat& format : output::export_formats()) EXPECT_TRUE(contains(said, format.name)) << said;
  const std::string before = tests::content(scratch / "r.json");
  const std::pair<std::vector<std::string>, const char*> rows[] = {
      {{"export", "r.json"}, "--format is missing"},
      {{"export", "--format", "csv"}, "REPORT"},
      {{"export", "missing.json", "-f", "csv", "-o", "/dev/null/x"}, "--output"},  // the place first
      {{"export", "missing.json", "-f", "csv"}, "missing.json"},
      {{"export", "r.json", "-f", "csv", "-o", "./r.json"}, "./r.json is a file that this command reads"},
      {{"merge", "r.json"}, "at least two reports"},
      {{"merge", "r.json", "r.json"}, "count twice"},
      {{"merge", "r.json", "r.json", "-o", "r.json"}, "a file that this command reads"},
      {{"merge", "r.json", "missing.json", "-o", "/dev/null/x"}, "--output"}};
  for (const auto& [words, why] : rows) EXPECT_TRUE(contains(failure(2, words), why)) << why;
  EXPECT_EQ(tests::content(scratch / "r.json"), before);
}

TEST(Merge, WritesAReport) {
  const CurrentScratch scratch;
  write_report(scratch, "a.json");
  write_report(scratch, "b.json", 11);
  EXPECT_EQ(mpsbench({"merge", "a.json", "b.json", "-o", "new/m.json"}).code, 0);
  EXPECT_EQ(validate_file("new/m.json"), "report of epyc-0a1b, 2 cases, 4 launches");
  EXPECT_EQ(mpsbench({"merge", "a.json", "b.json"}).out, tests::content(scratch / "new/m.json"));
}

TEST(Merge, LeavesItsPlaceAloneWhenReportsDiffer) {
  const CurrentScratch scratch;
  write_report(scratch, "a.json");
  write_report(scratch, "b.json", 11, "other");
  (void)scratch.write("m.json", "mine");
  EXPECT_EQ(failure(4, {"merge", "a.json", "b.json", "-o", "m.json"}),
            "mpsbench: b.json cannot be merged with a.json: host.name is \"other\" in b.json, "
            "\"epyc-0a1b\" in a.json\n");
  EXPECT_EQ(tests::content(scratch / "m.json"), "mine");
}

}  // namespace
}  // namespace mpsbench::cli
