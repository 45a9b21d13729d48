#include "run/gate/versus_gate.hpp"

#include "run/support.hpp"

namespace mpsbench::run {
namespace {

using tests::contains;
using tests::usage_error_of;

Options versus(const std::filesystem::path& worker) {
  Options options;
  options.purpose = schema::Purpose::versus;
  options.versus = worker.string();
  return options;
}

TEST(VersusGate, RecordsItsRulesAndNoBaseline) {
  schema::RunRecord record = tests::quick_run(2);
  Options options = versus("w");
  options.gate.alpha = 0.05;
  VersusGate(options).prepare(record);
  EXPECT_EQ(record.run.gate, options.gate);
  EXPECT_FALSE(record.run.gate->baseline);
}

TEST(VersusGate, FindsTheOtherWorker) {
  const OtherWorker other = find_other_worker(versus(tests::fake_worker()));
  EXPECT_EQ(other.program, tests::fake_worker());
  EXPECT_EQ(other.tool.value().compiler, "a fake worker's");
}

TEST(VersusGate, RefusesWhatIsNoWorker) {
  const tests::Scratch scratch;
  EXPECT_TRUE(contains(usage_error_of([&] { (void)find_other_worker(versus(scratch / "none")); }),
                       "--versus: " + (scratch / "none").string() + " is not a program"));
  EXPECT_TRUE(contains(usage_error_of([] { (void)find_other_worker(versus("/bin/true")); }),
                       "--versus: /bin/true is not an mpsbench-worker of this version"));
}

TEST(VersusGate, GivesTheOtherSideARunOfItsOwn) {
  const schema::RunRecord record = tests::quick_run(2);
  const schema::RunRecord unknown = second_run(record, std::nullopt);
  EXPECT_NE(unknown.run.id, record.run.id);
  EXPECT_EQ(unknown.run.planned.size(), 1U);
  EXPECT_FALSE(unknown.tool.git_commit || unknown.host.libtorch);
  schema::ToolInfo tool;
  tool.version = "9";
  EXPECT_EQ(second_run(record, tool).tool.version, "9");
}

}  // namespace
}  // namespace mpsbench::run
