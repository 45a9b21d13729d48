#include "base/resources.hpp"

#include "support/errors.hpp"
#include "support/scratch.hpp"

namespace mpsbench::base {
namespace {

using tests::contains;
using tests::ScopedVariable;
using tests::Scratch;
using tests::usage_error_of;

TEST(Resources, AreFoundRelativeToTheProgram) {
  EXPECT_EQ(executable_path().filename(), "base_tests");
  EXPECT_TRUE(executable_path().is_absolute());
  EXPECT_EQ(share_folder(), executable_path().parent_path().parent_path() / "share/mpsbench");
  EXPECT_TRUE(std::filesystem::exists(share_folder() / "models/mlp.json"));
  EXPECT_TRUE(std::filesystem::exists(share_folder() / "configs/quick.json"));
}

TEST(WorkerProgram, IsTheOneThatTheVariableNames) {
  const Scratch scratch;
  const auto worker = scratch.write("my-worker", "");
  const ScopedVariable variable("MPSBENCH_WORKER", worker.c_str());
  EXPECT_EQ(worker_program(), worker);
}

TEST(WorkerProgram, IsSaidToBeMissing) {
  const Scratch scratch;
  const std::string missing = (scratch / "none").string();
  const ScopedVariable variable("MPSBENCH_WORKER", missing.c_str());
  EXPECT_EQ(usage_error_of([] { (void)worker_program(); }),
            "the worker program " + missing + " is missing; set MPSBENCH_WORKER to its path");
  const ScopedVariable folder("MPSBENCH_WORKER", scratch.root().c_str());
  EXPECT_TRUE(contains(usage_error_of([] { (void)worker_program(); }), "is missing"));
}

TEST(WorkerProgram, IsLookedForBesideTheProgramWhenTheVariableIsEmpty) {
  const ScopedVariable variable("MPSBENCH_WORKER", "");
  const auto beside = executable_path().parent_path() / "mpsbench-worker";
  if (std::filesystem::exists(beside)) {
    EXPECT_EQ(worker_program(), beside);
  } else {
    EXPECT_TRUE(contains(usage_error_of([] { (void)worker_program(); }), "build it with LibTorch"));
  }
}

TEST(OpsProgram, HasAVariableOfItsOwn) {
  const Scratch scratch;
  const auto ops = scratch.write("my-ops", "");
  const ScopedVariable variable("MPSBENCH_OPS", ops.c_str());
  EXPECT_EQ(ops_program(), ops);
  const ScopedVariable missing("MPSBENCH_OPS", (scratch / "none").c_str());
  EXPECT_TRUE(
      contains(usage_error_of([] { (void)ops_program(); }), "is missing; set MPSBENCH_OPS to its path"));
}

}  // namespace
}  // namespace mpsbench::base
