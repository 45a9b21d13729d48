#include "base/json_file.hpp"
#include "cli/commands/commands.hpp"
#include "cli/support.hpp"
#include "report/metrics/assemble.hpp"
#include "support/sample_run.hpp"

#include <nlohmann/json.hpp>

namespace mpsbench::cli {
namespace {

using tests::contains;
using tests::CurrentScratch;
using tests::failure;
using tests::mpsbench;

// A report of one launch that began at START, on HOST.
void write_report(const CurrentScratch& scratch, const std::string& name, const std::string& start,
                  const std::string& host = "epyc-0a1b") {
  schema::RunRecord record = tests::sample_run({tests::sample_spec("mlp", schema::Mode::train, 64)}, 1);
  record.host.name = host;
  record.run.id = name;
  schema::Launch launch = tests::good_launch(tests::steady_samples(0.01, 21));
  launch.started_at = record.run.started_at = start;
  record.launches[record.run.planned[0].id] = {launch};
  (void)scratch.write(name, base::to_text(schema::to_json(report::assemble(record)), 1));
}

TEST(Merge, WritesAReport) {
  const CurrentScratch scratch;
  write_report(scratch, "a.json", "2026-11-21T10:00:00Z");
  write_report(scratch, "b.json", "2026-11-21T11:00:00Z");
  EXPECT_EQ(mpsbench({"merge", "a.json", "b.json", "-o", "new/m.json"}).code, 0);
  EXPECT_EQ(validate_file("new/m.json"), "report of epyc-0a1b, 1 case, 2 launches");
  EXPECT_EQ(mpsbench({"merge", "a.json", "b.json"}).out, tests::content(scratch / "new/m.json"));
  const std::string before = tests::content(scratch / "a.json");
  EXPECT_TRUE(contains(failure(2, {"merge", "a.json", "b.json", "-o", "a.json"}), "a file that this command reads"));
  EXPECT_EQ(tests::content(scratch / "a.json"), before);
}

TEST(Merge, LeavesItsPlaceAloneWhenReportsDiffer) {
  const CurrentScratch scratch;
  write_report(scratch, "a.json", "2026-11-21T10:00:00Z");
  write_report(scratch, "b.json", "2026-11-21T11:00:00Z", "other");
  (void)scratch.write("m.json", "mine");
  const std::string said = failure(4, {"merge", "a.json", "b.json", "-o", "m.json"});
  EXPECT_EQ(said,
            "mpsbench: b.json cannot be merged with a.json: host.name is \"other\" in b.json, "
            "\"epyc-0a1b\" in a.json\n");
  EXPECT_EQ(tests::content(scratch / "m.json"), "mine");
}

TEST(Merge, WantsTwoReports) {
  const CurrentScratch scratch;
  write_report(scratch, "a.json", "2026-11-21T10:00:00Z");
  EXPECT_TRUE(contains(failure(2, {"merge", "a.json"}), "at least two reports"));
  EXPECT_TRUE(contains(failure(2, {"merge", "a.json", "a.json"}), "count twice"));
  EXPECT_TRUE(contains(failure(2, {"merge", "a.json", "missing.json", "-o", "/dev/null/x"}), "--output"));
}

}  // namespace
}  // namespace mpsbench::cli
