#include "run/session/outcome.hpp"

#include "report/metrics/assemble.hpp"
#include "run/support.hpp"

#include <tuple>

namespace mpsbench::run {
namespace {

using base::ExitCode;
using schema::Status;
using supervise::RunEnd;
using tests::Scratch;

schema::Report report_of(std::vector<schema::Launch> launches) {
  schema::RunRecord record = tests::quick_run(static_cast<std::int64_t>(launches.size()));
  record.launches[record.run.planned[0].id] = std::move(launches);
  return report::assemble(record);
}

schema::Launch good() {
  return tests::good_launch({0.01, 0.011});
}

TEST(Outcome, IsTheWorstOfItsCasesAndItsEnd) {
  for (const auto& [launch, end, code] :
       {std::tuple{good(), RunEnd::complete, ExitCode::ok},
        {good(), RunEnd::interrupted, ExitCode::interrupted},
        {good(), RunEnd::journal_failed, ExitCode::incomplete},
        {good(), RunEnd::time_limit, ExitCode::incomplete},
        {good(), RunEnd::other_libtorch, ExitCode::usage},
        {tests::bad_launch(Status::crashed, "x"), RunEnd::complete, ExitCode::incomplete},
        {tests::bad_launch(Status::unsupported, "x"), RunEnd::complete, ExitCode::no_device}})
    EXPECT_EQ(exit_code_of(report_of({launch}), end), code) << to_string(launch.status);
}

TEST(Outcome, OfALargestBatchIsNoFailure) {
  schema::Report report = report_of({tests::bad_launch(Status::oom, "x")});
  EXPECT_EQ(exit_code_of(report, RunEnd::complete), ExitCode::incomplete);
  report.run.planned[0].is_bound = true;
  EXPECT_EQ(exit_code_of(report, RunEnd::complete), ExitCode::ok);
}

TEST(Outcome, KeepsTheJournalWhereTheReportCannotBeWritten) {
  const Scratch scratch;
  const tests::ScopedVariable temporary("TMPDIR", scratch.root().c_str());
  const schema::RunRecord record = tests::quick_run(1);
  supervise::Journal journal = supervise::Journal::create(scratch / "a.jsonl", record);
  std::filesystem::create_directories(scratch / "a.json/in the way");
  EXPECT_EQ(write_report(report_of({good()}), scratch / "a.json", journal), ExitCode::incomplete);
  EXPECT_TRUE(std::filesystem::exists(scratch / "a.jsonl"));
  EXPECT_TRUE(std::filesystem::exists(scratch / ("mpsbench-" + record.run.id + ".json")));
  EXPECT_EQ(write_report(report_of({good()}), scratch / "b.json", journal), ExitCode::ok);
  EXPECT_FALSE(std::filesystem::exists(scratch / "a.jsonl"));
}

}  // namespace
}  // namespace mpsbench::run
