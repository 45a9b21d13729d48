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

// A report of a case that was measured and one whose launch crashed.
void write_report(const CurrentScratch& scratch, const std::string& name) {
  schema::RunRecord record = tests::sample_run(
      {tests::sample_spec("mlp", schema::Mode::train, 64), tests::sample_spec("mlp", schema::Mode::train, 8)}, 1);
  record.launches[record.run.planned[0].id] = {tests::good_launch(tests::steady_samples(0.01, 21))};
  record.launches[record.run.planned[1].id] = {tests::bad_launch(schema::Status::crashed, "signal 11")};
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

TEST(Export, NamesTheFormats) {
  const std::string said = failure(2, {"export", "r.json", "--format", "xml"});
  for (const output::ExportFormat& format : output::export_formats()) EXPECT_TRUE(contains(said, format.name)) << said;
  EXPECT_TRUE(contains(failure(2, {"export", "r.json"}), "--format is missing"));
  EXPECT_TRUE(contains(failure(2, {"export", "--format", "csv"}), "REPORT"));
}

TEST(Export, LooksAtThePlaceFirst) {
  const CurrentScratch scratch;
  const std::string said = failure(2, {"export", "missing.json", "-f", "csv", "-o", "/dev/null/x"});
  EXPECT_TRUE(contains(said, "--output")) << said;
  EXPECT_TRUE(contains(failure(2, {"export", "missing.json", "-f", "csv"}), "missing.json"));
}

TEST(Export, NeverTakesThePlaceOfItsReport) {
  const CurrentScratch scratch;
  write_report(scratch, "r.json");
  const std::string before = tests::content(scratch / "r.json");
  EXPECT_TRUE(contains(failure(2, {"export", "r.json", "-f", "csv", "-o", "./r.json"}),
                       "./r.json is a file that this command reads"));
  EXPECT_EQ(tests::content(scratch / "r.json"), before);
}

}  // namespace
}  // namespace mpsbench::cli
