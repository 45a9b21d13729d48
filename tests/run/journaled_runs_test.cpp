#include "run/journaled_runs.hpp"

#include "run/support.hpp"

namespace mpsbench::run {
namespace {

using tests::Scratch;

TEST(JournaledRuns, OpenAJournalEach) {
  const Scratch scratch;
  schema::RunRecord one = tests::quick_run(1);
  schema::RunRecord two = tests::quick_run(1);
  two.run.id = "other";
  const std::vector<supervise::JournaledRun> runs = open_journals(scratch / "a.json", true, {{&one, "w"}, {&two, "v"}});
  ASSERT_EQ(runs.size(), 2U);
  EXPECT_EQ(runs[1].report, scratch / "a-versus.json");
  EXPECT_EQ(supervise::Journal::load(scratch / "a.jsonl").run.id, one.run.id);
  EXPECT_EQ(supervise::Journal::load(scratch / "a-versus.jsonl").run.id, "other");
}

TEST(JournaledRuns, OpenAllJournalsOrNone) {
  const Scratch scratch;
  schema::RunRecord one = tests::quick_run(1);
  scratch.write("a-versus.jsonl", "precious");
  (void)tests::usage_error_of([&] { (void)open_journals(scratch / "a.json", true, {{&one, "w"}, {&one, "v"}}); });
  EXPECT_FALSE(std::filesystem::exists(scratch / "a.jsonl"));
  EXPECT_EQ(tests::content(scratch / "a-versus.jsonl"), "precious");
}

TEST(JournaledRuns, TakeAFreePlaceWhenNobodyNamedOne) {
  const Scratch scratch;
  schema::RunRecord one = tests::quick_run(1);
  scratch.write("a.json", "a report");
  scratch.write("a-2.jsonl", "a journal");
  EXPECT_EQ(open_journals(scratch / "a.json", false, {{&one, "w"}})[0].report, scratch / "a-3.json");
  EXPECT_FALSE(std::filesystem::exists(scratch / "a.jsonl")) << "the first journal was removed again";
}

}  // namespace
}  // namespace mpsbench::run
