#include "cli/commands/commands.hpp"
#include "cli/support.hpp"

namespace mpsbench::cli {
namespace {

TEST(Ops, HelpNamesItsOptions) {
  const tests::Outcome help = tests::mpsbench({"ops", "--help"});
  EXPECT_EQ(help.code, 0);
  for (const char* word : {"--device", "--threads", "--benchmark_filter", "Google Benchmark"}) {
    EXPECT_TRUE(tests::contains(help.out, word)) << word;
  }
}

TEST(Ops, AMissingProgramIsSaid) {
  const tests::ScopedVariable none("MPSBENCH_OPS", "/nowhere/ops");
  const std::string line = tests::failure(2, {"ops", "--device", "cpu", "--benchmark_filter=launch"});
  EXPECT_TRUE(tests::contains(line, "/nowhere/ops is missing; set MPSBENCH_OPS to its path")) << line;
}

TEST(Ops, AProgramThatCannotBeStartedIsSaidAndVariablesThatAreIgnored) {
  const tests::Scratch scratch;
  const std::string file = scratch.write("ops", "no program").string();
  const tests::ScopedVariable chosen("MPSBENCH_OPS", file.c_str());
  EXPECT_TRUE(tests::contains(tests::failure(2, {"ops"}), file + " cannot be started: "));
  {
    const tests::ScopedVariable variable("OMP_NUM_THREADS", "abc");
    EXPECT_TRUE(tests::contains(tests::mpsbench({"ops"}).err, "warning: OMP_NUM_THREADS=abc is ignored"));
    EXPECT_FALSE(tests::contains(tests::mpsbench({"ops", "--threads", "1"}).err, "is ignored"));
  }
  const tests::ScopedVariable affinity("GOMP_CPU_AFFINITY", "abc");
  EXPECT_TRUE(tests::contains(tests::failure(2, {"ops"}), "GOMP_CPU_AFFINITY=abc is no list of CPUs"));
}

TEST(Ops, HasItsFormatsAndFilesLikeOtherCommands) {
  const tests::CurrentScratch scratch;
  EXPECT_TRUE(tests::contains(tests::failure(2, {"ops", "-o", "json"}), "write -f json"));
  EXPECT_TRUE(tests::contains(tests::failure(2, {"ops", "-f", "md"}), "known: table, csv, json"));
  EXPECT_TRUE(tests::contains(tests::failure(2, {"ops", "-f", "csv", "-o", "/dev/null/x"}), "--output"));
}

}  // namespace
}  // namespace mpsbench::cli
