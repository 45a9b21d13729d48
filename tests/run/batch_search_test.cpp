#include "run/search/batch_search.hpp"

#include "run/run_plan.hpp"
#include "run/support.hpp"
#include "suite/option.hpp"

namespace mpsbench::run {
namespace {

// One case for which the fake worker sets the largest batch.
class BatchSearchTest : public testing::Test {
 protected:
  using Choices = std::vector<std::pair<std::string, std::string>>;

  static RunPlan plan(const std::string& script, const Choices& choices) {
    const tests::ScopedVariable session("MPSBENCH_FAKE_SESSION", script.c_str());
    const suite::Catalog catalog(MPSBENCH_SOURCE_DIR);
    suite::Settings settings;
    for (const auto& [name, text] : choices) suite::find_option(name)->set(settings, text, "--" + name);
    return make_run_plan(read_request(catalog, {}, settings), {}, catalog);
  }

  RunPlan search(const std::string& script, const char* sought = "max") {
    const tests::ScopedVariable session("MPSBENCH_FAKE_SESSION", script.c_str());
    RunPlan plan = this->plan(script, {{"model", "mlp"}, {"mode", "train"}, {"device", "cpu"}, {"batch-size", sought}});
    search_batches(plan.record, plan.open, plan.host, view_.sink());
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

TEST_F(BatchSearchTest, OfSequencesEndsWithoutADataSet) {
  RunPlan plan = this->plan("[\"normal\"]", {{"model", "smollm2-135m"},
                                             {"mode", "generate"},
                                             {"device", "cpu"},
                                             {"batch-size", "max"},
                                             {"prompt", "1"},
                                             {"generate", "2"},
                                             {"set", "layers=1,hidden=8,heads=1,kv_heads=1,head_dim=2,vocabulary=8"}});
  search_batches(plan.record, plan.open, plan.host, view_.sink());
  EXPECT_TRUE(view_.trials.front().ends_with(": searching for the largest batch that runs"));
  EXPECT_TRUE(view_.trials.back().ends_with(" sequences fit; more are not tried")) << view_.trials.back();
}

TEST_F(BatchSearchTest, PlansABatchThatBreaksSoThatTheRunRecordsWhy) {
  const RunPlan plan = search(R"(["hello", {"signal": "KILL"}])");
  ASSERT_EQ(plan.record.run.planned.size(), 1U);
  EXPECT_FALSE(plan.record.run.planned[0].is_bound);
  EXPECT_EQ(view_.trials.size(), 2U);
}

// The rules make 1 row take 4 ms, and batches of 2, 4, 8, ... rows take 1.25, 1.01 and 1 ms a row.
TEST_F(BatchSearchTest, PlansTheSmallestThatIsAlmostAsFastAsTheFastest) {
  const RunPlan plan = search(
      R"({"rules": [{"case": "/b1/", "actions": [{"normal": {"step_seconds": 0.004}}]},
                    {"case": "/b2/", "actions": [{"normal": {"step_seconds": 0.0025}}]},
                    {"case": "/b4/", "actions": [{"normal": {"step_seconds": 0.00405}}]},
                    {"case": "/b16/", "actions": [{"normal": {"step_seconds": 0.0161}}]}]})",
      "best");
  ASSERT_EQ(plan.record.run.planned.size(), 1U);
  EXPECT_EQ(plan.record.run.planned[0].id, "mlp/train/cpu/b4/fp32/eager/synthetic");
  EXPECT_FALSE(plan.record.run.planned[0].is_bound);
  const std::string id = "mlp/train/cpu/bbest/fp32/eager/synthetic: ";
  ASSERT_GE(view_.trials.size(), 6U);
  EXPECT_EQ(view_.trials[0], id + "searching for the best batch");
  EXPECT_EQ(view_.trials[1], id + "batch 1: 250 rows/s");
  EXPECT_EQ(view_.trials[4], id + "batch 8: 1,000 rows/s");
  EXPECT_EQ(view_.trials[view_.trials.size() - 3], id + "batch 8: 1,000 rows/s (tried again)");
  EXPECT_EQ(view_.trials.back(),
            id + "the smallest power of two within 2 % of the fastest is 4 (987 of 1,000 rows/s at 8)");
}

TEST_F(BatchSearchTest, ForTheBestEndsWhereMemoryEnds) {
  const RunPlan plan = search(R"({"rules": [{"case": "/b1/", "actions": [{"normal": {"step_seconds": 0.004}}]},
                           {"actions": [{"fits": 2}]}]})",
                              "best");
  ASSERT_EQ(plan.record.run.planned.size(), 1U);
  EXPECT_EQ(plan.record.run.planned[0].spec.batch_size, 2);
  EXPECT_TRUE(tests::contains(view_.trials.back(), "is 2 (1,000 rows/s, the fastest); larger ones do not fit"))
      << view_.trials.back();
}

TEST_F(BatchSearchTest, ForTheBestPlansOneRowIfNoneFits) {
  const RunPlan plan = search(R"({"rules": [{"actions": [{"fits": 0}]}]})", "best");
  ASSERT_EQ(plan.record.run.planned.size(), 1U);
  EXPECT_EQ(plan.record.run.planned[0].spec.batch_size, 1);
  EXPECT_TRUE(tests::contains(view_.trials.back(), "not even one row fits"));
}

TEST_F(BatchSearchTest, WithRanksOnSeveralMachinesIsRefused) {
  const char* script = R"({"rules": [{"case": "probe", "actions": [{"probe": {"gpus": 2}}]}]})";
  const auto require = [&](const std::string& sought, const char* gpus, std::int64_t hosts) {
    const RunPlan found =
        plan(script, {{"model", "mlp"}, {"mode", "train"}, {"device", "cuda"}, {"batch-size", sought}, {"gpus", gpus}});
    require_one_machine(found.open, {"torchrun", 2, hosts});
  };
  for (const std::string sought : {"max", "best"})
    EXPECT_EQ(tests::usage_error_of([&] { require(sought, "2", 2); }),
              "--batch-size: max and best are searched on one machine, but mlp/train/cuda/b" + sought +
                  "/fp32/eager/synthetic+gpus=2 runs under torchrun with 2 processes on 2 machines; search on "
                  "one, and name the batch here");
  EXPECT_NO_THROW(require("max", "2", 1));
  EXPECT_NO_THROW(require("max", "1", 2)) << "it runs on this machine only";
}

}  // namespace
}  // namespace mpsbench::run
