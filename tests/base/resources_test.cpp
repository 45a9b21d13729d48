#include "base/resources.hpp"

#include "base/version.hpp"
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

TEST(Programs, AreThoseThatTheirVariablesName) {
  const Scratch scratch;
  const std::string missing = (scratch / "none").string();
  const auto program = scratch.write("mine", "");
  using Program = std::pair<const char*, std::filesystem::path (*)()>;
  for (const auto& [variable, find] : {Program{"MPSBENCH_WORKER", worker_program}, {"MPSBENCH_OPS", ops_program}}) {
    const ScopedVariable chosen(variable, program.c_str());
    EXPECT_EQ(find(), program);
    for (const std::string& none : {missing, scratch.root().string()}) {
      const ScopedVariable other(variable, none.c_str());
      EXPECT_TRUE(contains(usage_error_of([&, find = find] { (void)find(); }),
                           none + " is missing; set " + variable + " to its path"));
    }
  }
}

class WithoutAnyEnvironment : public testing::Test {
 protected:
  // Writes a Python package in the environment FOLDER. Returns the package's folder.
  std::filesystem::path write_package(const std::string& folder, const std::string& version = kVersion) {
    const std::string package = folder + "/lib/python3.12/site-packages/mpsbench/";
    (void)scratch_.write(package + "version", version + "\n");
    return scratch_.write(package + "torch_version", "2.13\n").parent_path();
  }
  // Whether a build of everything put the worker into the folder of the tests.
  static bool is_worker_beside() {
    return std::filesystem::exists(executable_path().parent_path() / "mpsbench-worker");
  }

  Scratch scratch_;
  ScopedVariable worker_{"MPSBENCH_WORKER", ""};
  ScopedVariable home_{"HOME", scratch_.root().c_str()};
  ScopedVariable no_venv_{"VIRTUAL_ENV", ""};
  ScopedVariable no_conda_{"CONDA_PREFIX", ""};
};

TEST_F(WithoutAnyEnvironment, TheWorkerIsLookedForBesideTheProgram) {
  const auto beside = executable_path().parent_path() / "mpsbench-worker";
  if (std::filesystem::exists(beside)) {
    EXPECT_EQ(worker_program(), beside);
  } else {
    EXPECT_EQ(usage_error_of([] { (void)worker_program(); }),
              "the worker program " + beside.string() +
                  " is missing; install it: python3 -m venv ~/.venvs/mpsbench && "
                  "~/.venvs/mpsbench/bin/pip install mpsbench==" +
                  kVersion + "; or build it with LibTorch, or set MPSBENCH_WORKER to its path");
  }
}

TEST_F(WithoutAnyEnvironment, TheInstalledPackageIsThatOfAnActiveOneAndThenTheUsualOne) {
  EXPECT_FALSE(installed_package());
  const auto usual = write_package(".venvs/mpsbench");
  EXPECT_EQ(installed_package().value().folder, usual);
  for (const char* name : {"CONDA_PREFIX", "VIRTUAL_ENV"}) {
    const ScopedVariable active(name, (scratch_ / name).c_str());
    EXPECT_EQ(installed_package().value().folder, usual) << "an environment without the package";
    const auto package = write_package(name);
    EXPECT_EQ(installed_package().value().folder, package);
  }
}

TEST_F(WithoutAnyEnvironment, TheWorkersPackageIsTheInstalledOneUnlessTheWorkerIsElsewhere) {
  (void)write_package(".venvs/mpsbench");
  EXPECT_EQ(worker_package().has_value(), !is_worker_beside());
  const auto worker = scratch_.write("my-worker", "");
  const ScopedVariable variable("MPSBENCH_WORKER", worker.c_str());
  EXPECT_FALSE(worker_package());
  EXPECT_TRUE(variables_for(worker_program()).empty());
}

TEST_F(WithoutAnyEnvironment, APackageOfAnotherVersionIsRefused) {
  if (is_worker_beside()) GTEST_SKIP() << "the worker beside the program comes first";
  const auto package = write_package(".venvs/mpsbench", "9.8.7");
  EXPECT_EQ(usage_error_of([] { (void)worker_program(); }),
            std::string("this is mpsbench ") + kVersion + ", but its worker in " + package.string() +
                " is 9.8.7; install the same version there: pip install mpsbench==" + kVersion);
}

TEST_F(WithoutAnyEnvironment, AProgramOfThePackageGetsTheLibrariesOfItsTorch) {
  if (is_worker_beside()) GTEST_SKIP() << "the worker beside the program comes first";
  (void)write_package(".venvs/mpsbench");
  const auto worker =
      scratch_.write(".venvs/mpsbench/lib/python3.12/site-packages/mpsbench/bin/cpu/mpsbench-worker", "");
  const Scratch system;
  (void)system.write("torch/version.py", "\n__version__ = '2.13.0+cpu'\ncuda: Optional[str] = None\n");
  const auto python = scratch_.write(".venvs/mpsbench/bin/python3.12",
                                     "#!/bin/sh\necho '" + (system / "torch/__init__.py").string() + "'\n");
  std::filesystem::permissions(python, std::filesystem::perms::owner_all);
  EXPECT_EQ(worker_program(), worker);
  EXPECT_EQ(programs_of(installed_package().value()).folder, worker.parent_path());
  const std::vector<std::string> variables = variables_for(worker);
  ASSERT_EQ(variables.size(), 1U);
  EXPECT_TRUE(contains(variables[0], "LIBRARY_PATH=" + (system / "torch/lib").string())) << variables[0];
  EXPECT_TRUE(variables_for(scratch_ / "another/mpsbench-worker").empty());
}

}  // namespace
}  // namespace mpsbench::base
