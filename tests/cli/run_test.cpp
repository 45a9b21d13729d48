#include "cli/commands/commands.hpp"
#include "cli/support.hpp"

#include <algorithm>

namespace mpsbench::cli {
namespace {

using tests::contains;
using tests::CurrentScratch;
using tests::failure;
using tests::mpsbench;

// The plan of `mpsbench run WORDS` on the CPU, which must come out right and leave no file.
std::string plan(std::vector<std::string> words) {
  const CurrentScratch scratch;
  words.insert(words.begin(), "run");
  words.insert(words.end(), {"--dry-run", "--device", "cpu"});
  const tests::Outcome outcome = mpsbench(words);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(std::filesystem::is_empty(scratch.root()));
  return outcome.out;
}

std::ptrdiff_t line_count(const std::string& text) {
  return std::count(text.begin(), text.end(), '\n');
}

TEST(Run, RefusesWhatItCannotPlan) {
  const CurrentScratch scratch;
  scratch.write("s.json", R"({"name": "s", "matrices": [{"model": "mlp", "batch-size": 0}]})");
  scratch.write("m.json", R"({"name": "s", "matrices": [{"model": "mlp", "batch-size": 1000000000}]})");
  const std::pair<std::vector<std::string>, const char*> rows[] = {
      {{"run"}, "mpsbench: name a suite or --model; see `mpsbench list suites`\n"},
      {{"run", "quik"}, "unknown suite 'quik' (did you mean 'quick'?)"},
      {{"run", "-m", "vgg1"}, "unknown model 'vgg1' (did you mean 'vgg11', 'vgg13',"},
      {{"run", "mlp"}, "write --model mlp"},
      {{"run", "s.json"}, "mpsbench: s.json: $.matrices[0].batch-size: expected sizes"},
      {{"run", "m.json", "--dry-run"}, "m.json: $.matrices[0].batch-size: 'mlp': "},
      {{"run", "-m", "mlp", "--log-file", "/dev/null/x.log"}, "choose another place with --log-file"},
      {{"run", "quick", "--resume", "x.jsonl"}, "--resume takes its suite from the file"}};
  for (const auto& [words, said] : rows) EXPECT_TRUE(contains(failure(2, words), said)) << said;
}

TEST(Run, SpansAMatrixOfItsOptions) {
  const std::string text = plan({"-m", "mlp", "-m", "lenet5", "-b", "1,8", "--mode=infer"});
  for (const char* id : {"mlp/infer/cpu/b1/", "mlp/infer/cpu/b8/", "lenet5/infer/cpu/b1/", "lenet5/infer/cpu/b8/"}) {
    EXPECT_TRUE(contains(text, id)) << text;
  }
  EXPECT_EQ(line_count(text), 5);
}

TEST(Run, LaysItsOptionsOverTheSuite) {
  const std::string swallowed = plan({"-b", "2", "quick", "-r", "1"});  // the list is no suite
  EXPECT_TRUE(contains(swallowed, "vgg16/train/cpu/b2/")) << swallowed;
  EXPECT_EQ(line_count(swallowed), 11);
  const std::string text = plan({"quick", "--repeats", "1", "--filter", "^mlp/train", "--seed", "3", "--threads", "1"});
  EXPECT_TRUE(contains(text, "mlp/train/cpu/b64/fp32/eager/synthetic+seed=3")) << text;
  EXPECT_TRUE(contains(text, "  1 launch  ")) << text;
  EXPECT_EQ(line_count(text), 2);
}

TEST(Run, PlansTheLaunchesOfASuiteWithATimeLimit) {
  EXPECT_TRUE(contains(plan({"quick", "-d", "cpu"}), "10 cases, 30 launches or more, within 2 min 15 s\n"));
  EXPECT_TRUE(contains(plan({"quick", "-d", "cpu", "--time-limit", "5m"}), "30 launches or more, within 5 min 0 s\n"));
  // The time is an estimate where steps are longer than a launch may measure, and that depends on the
  // machine.
  const std::string counted = plan({"quick", "-d", "cpu", "-r", "2"});
  EXPECT_TRUE(contains(counted, "10 cases, 20 launches, about ") || contains(counted, "10 cases, 20 launches, up to "))
      << counted;
}

TEST(Run, JoinsSuites) {
  const CurrentScratch scratch;
  const std::string one =
      scratch.write("a.json", R"({"name": "a", "repeats": 2, "mode": "infer", "matrices": [{"model": "mlp"}]})");
  const std::string two =
      scratch.write("b.json", R"({"name": "b", "mode": "infer", "matrices": [{"model": "lenet5"}]})");
  const tests::Outcome outcome = mpsbench({"run", one, two, "--dry-run"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(contains(outcome.out, "2 cases, 5 launches")) << outcome.out;
}

TEST(Run, ShowsItsPlanAtRankZeroOnly) {
  const tests::ScopedVariable ranks("PMI_SIZE", "2");
  for (const auto& [rank, lines] : {std::pair{"1", 0}, {"0", 2}}) {
    const tests::ScopedVariable own("PMI_RANK", rank);
    EXPECT_EQ(line_count(plan({"-m", "mlp", "--mode", "train"})), lines) << rank;
  }
}

// A stand-in for a worker that cannot say which devices there are, so that any machine gives the same answer.
TEST(Run, NamesDevicesThatAreNotMeasuredHere) {
  const CurrentScratch scratch;
  const tests::ScopedVariable no_worker("MPSBENCH_WORKER", "/nothing/here");
  EXPECT_NE(failure(3, {"run", "-m", "mlp", "-d", "cuda"}), "");
  EXPECT_TRUE(std::filesystem::is_empty(scratch.root()));
  const std::string text = plan({"-m", "mlp", "-d", "mps,cpu", "--mode", "infer"});
  EXPECT_TRUE(contains(text, "/nothing/here")) << text;
  EXPECT_TRUE(contains(text, "mlp/infer/cpu/")) << text;
}

TEST(Run, ResumesWithoutAnOptionThatWouldChangeTheRun) {
  for (const char* option : {"--seed=1", "--repeats=1", "--model=mlp", "--filter=x", "--export-json=a.json",
                             "--baseline=b.json", "--fail-on-regression"}) {
    const std::string name = std::string(option).substr(0, std::string(option).find('='));
    EXPECT_EQ(failure(2, {"run", "--resume", "a.jsonl", option}),
              "mpsbench: " + name + ": cannot be used with --resume, which keeps the run's own options\n");
  }
}

}  // namespace
}  // namespace mpsbench::cli
