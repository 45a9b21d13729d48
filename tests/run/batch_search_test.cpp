#include "run/batch_search.hpp"

#include "run/run_plan.hpp"
#include "run/support.hpp"
#include "suite/option.hpp"

namespace mpsbench::run {
namespace {

// One case for which the fake worker sets the largest batch.
class BatchSearchTest : public testing::Test {
 protected:
  RunPlan search(const std::string& script) {
    const tests::ScopedVariable session("MPSBENCH_FAKE_SESSION", script.c_str());
    const suite::Catalog catalog(MPSBENCH_SOURCE_DIR);
    suite::Settings settings;
    for (const auto& [name, text] :
         {std::pair("model", "mlp"), {"mode", "train"}, {"device", "cpu"}, {"batch-size", "max"}})
      suite::find_option(name)->set(settings, text, "--" + std::string(name));
    RunPlan plan = make_run_plan(read_request(catalog, {}, settings), {}, catalog);
    search_batches(plan.record, plan.open, plan.host, view_);
    return plan;
  }

  tests::ScopedVariable worker_{"MPSBENCH_WORKER", tests::fake_worker().c_str()};
  tests::RecordingView view_;
};

TEST_F(BatchSearchTest, PlansTheLargestThatRunsAndTheNextOne) {
  const RunPlan plan = search(R"({"rules": [{"actions": [{"fits": 100}]}]})");
  const auto& cases = plan.record.run.planned;
  ASSERT_EQ(cases.size(), 2U);
  EXPECT_EQ(cases[0].spec.batch_size, 100);
  EXPECT_FALSE(cases[0].is_bound);
  EXPECT_EQ(cases[1].spec.batch_size, 101);
  EXPECT_TRUE(cases[1].is_bound);
  EXPECT_EQ(cases[1].repeats, 1);
  EXPECT_TRUE(tests::contains(view_.trials.back(), "/bmax/")) << view_.trials.back();
  EXPECT_TRUE(tests::contains(view_.trials.back(), "the largest batch that runs is 100"));
}

TEST_F(BatchSearchTest, PlansABatchThatBreaksSoThatTheRunRecordsWhy) {
  const RunPlan plan = search(R"(["hello", {"signal": "KILL"}])");
  ASSERT_EQ(plan.record.run.planned.size(), 1U);
  EXPECT_FALSE(plan.record.run.planned[0].is_bound);
  EXPECT_EQ(view_.trials.size(), 1U);
}

}  // namespace
}  // namespace mpsbench::run
