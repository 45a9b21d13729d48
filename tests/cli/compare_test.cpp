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

// A report of run NAME on HOST whose five launches took about SECONDS a step.
void write_report(const CurrentScratch& scratch, const std::string& name, double seconds,
                  const std::string& host = "epyc-0a1b", std::int64_t batch_size = 64) {
  schema::RunRecord record = tests::sample_run({tests::sample_spec("mlp", schema::Mode::train, batch_size)}, 5);
  record.run.id = name;
  record.host.name = host;
  for (int i = 0; i < 5; ++i) {
    schema::Launch launch = tests::good_launch(tests::steady_samples(seconds * (1 + 0.001 * i), 21), i);
    launch.wall_seconds += 0.001 * name.front() + i;  // no two launches last equally long
    record.launches[record.run.planned[0].id].push_back(std::move(launch));
  }
  (void)scratch.write(name, base::to_text(schema::to_json(report::assemble(record)), 1));
}

using Words = std::vector<std::string>;

TEST(Compare, ExitsWithWhatTheUserAskedFor) {
  const CurrentScratch scratch;
  write_report(scratch, "old.json", 0.01);
  write_report(scratch, "new.json", 0.011);
  const auto compare = [](Words words) {
    words.insert(words.begin(), {"compare", "old.json", "new.json"});
    return mpsbench(words);
  };
  const tests::Outcome outcome = compare({});
  EXPECT_TRUE(contains(outcome.out, "+10.0 %")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "1 case of 1 is slower by more than 2 %: mlp/train/cpu/b64.\n"));
  const std::pair<Words, int> rows[] = {{{}, 0},
                                        {{"--fail-on-regression"}, 1},
                                        {{"--fail-on-undecided"}, 0},
                                        {{"--threshold", "9%", "--fail-on-undecided"}, 0},
                                        {{"--threshold", "10.1%", "--fail-on-undecided"}, 1},
                                        {{"--gate-on", "step,peak-memory", "--fail-on-regression"}, 1},
                                        {{"--gate-on", "peak-memory=1%", "--fail-on-regression"}, 0},
                                        {{"--gate-on", "latency-p99"}, 4},  // training has none
                                        {{"--gate-on", "first-token"}, 4},
                                        {{"--filter", "^mlp/.*/b64/"}, 0}};
  for (const auto& [words, code] : rows) EXPECT_EQ(compare(words).code, code) << (words.empty() ? "" : words.back());
  EXPECT_EQ(mpsbench({"compare", "new.json", "old.json", "--fail-on-regression"}).code, 0);
  EXPECT_TRUE(contains(compare({"--gate-on", "peak-memory=1%"}).out,
                       "The peak memory of no case of 1 is larger by more than 1 %.\n"));
}

TEST(Compare, RefusesWhatCannotBeCompared) {
  const CurrentScratch scratch;
  write_report(scratch, "a.json", 0.01);
  write_report(scratch, "b.json", 0.02);
  write_report(scratch, "other.json", 0.02, "other");
  ASSERT_EQ(mpsbench({"merge", "a.json", "b.json", "-o", "both.json"}).code, 0);
  const std::tuple<int, Words, const char*> rows[] = {
      {2, {"a.json", "b.json", "--gate-on", "memory"}, "--gate-on: unknown value 'memory'"},
      {2, {"a.json", "b.json", "--filter", "vgg"}, "--filter: no case of a.json matches"},
      {2, {"a.json", "b.json", "--filter", "("}, "--filter: '(' is not a regular expression"},
      {2, {"a.json", "a.json"}, "the same run"},
      {2, {"a.json"}, "give two reports"},
      {2, {"none.json", "x.json", "--threshold", "0"}, "--threshold: expected a share"},
      {2,
       {"a.json", "both.json"},
       "a.json and both.json have launches of mlp/train/cpu/b64/fp32/eager/synthetic in common, so they cannot be "
       "compared; give reports of different runs"},
      {4, {"a.json", "other.json", "--alpha", "0.05"}, "--alpha: a.json (epyc-0a1b)"},
      {4, {"a.json", "other.json", "--gate-on", "energy"}, "--gate-on: a.json (epyc-0a1b)"},
      {4, {"a.json", "other.json", "-f", "junit"}, "--format junit: a.json (epyc-0a1b)"},
      {4, {"a.json", "b.json", "other.json", "--threshold", "5%"}, "--threshold: verdicts need exactly two reports"}};
  for (auto [code, words, said] : rows) {
    words.insert(words.begin(), "compare");
    EXPECT_TRUE(contains(failure(code, words), said)) << said;
  }
}

TEST(Compare, ChoosesTheViewByTheMachine) {
  const CurrentScratch scratch;
  write_report(scratch, "a.json", 0.01);
  write_report(scratch, "b.json", 0.02, "other");
  EXPECT_TRUE(contains(mpsbench({"compare", "a.json", "b.json"}).out, "  0.500×"));
  EXPECT_TRUE(
      contains(mpsbench({"compare", "a.json", "b.json", "--force"}).out, "note: host epyc-0a1b before, other after"));
}

TEST(Compare, SaysThatMachinesHaveNoCaseInCommon) {
  const CurrentScratch scratch;
  write_report(scratch, "a.json", 0.01);
  write_report(scratch, "b.json", 0.02, "other", 8);
  const std::string note = "No case is in both reports. The nearest are ";
  EXPECT_TRUE(contains(mpsbench({"compare", "a.json", "b.json"}).out, note));
  EXPECT_TRUE(contains(mpsbench({"compare", "a.json", "b.json", "-f", "csv"}).err, "note: " + note));
}

}  // namespace
}  // namespace mpsbench::cli
