// Packages that several runs, or several workers of one run, use.
#include "run/packages/packages.hpp"
#include "run/support.hpp"

#include <sys/stat.h>

namespace mpsbench::run {
namespace {

namespace fs = std::filesystem;
using tests::Scratch;

// A cache of its own, and a compiler that makes files with "made", and adds a letter to a log for each.
class SharedPackages : public testing::Test {
 protected:
  SharedPackages() {
    ::chmod(compiler_.c_str(), 0700);
    case_.id = "mlp";
    case_.spec = tests::sample_spec("mlp", schema::Mode::infer, 8);
    case_.spec.engine = schema::Engine::compiled;
    case_.timeout_seconds = 60;
  }

  schema::LaunchRequest request_of(Packages& packages, const fs::path& worker = tests::fake_worker()) {
    schema::LaunchRequest request;
    request.spec = case_.spec;
    const std::optional<schema::Launch> failed = packages.add_to(request, case_, {worker, host_, interrupt_, view_});
    EXPECT_FALSE(failed) << failed->failure->message << failed->failure->detail;
    return request;
  }

  [[nodiscard]] std::size_t compiled() const { return tests::content(scratch_ / "log").size(); }

  Scratch scratch_;
  fs::path compiler_ = scratch_.write("python", R"(#!/bin/sh
read -r line
file=${line#*\"package\":\"}
printf made > "${file%%\"*}"
printf x >> )" + (scratch_ / "log").string() + "\n");
  tests::ScopedVariable place_{"XDG_CACHE_HOME", scratch_.root().c_str()};
  tests::ScopedVariable python_{"MPSBENCH_PYTHON", compiler_.c_str()};
  schema::PlannedCase case_;
  schema::HostInfo host_;
  supervise::Interrupt interrupt_;
  tests::RecordingView view_;
};

TEST_F(SharedPackages, ASecondRunUsesThemWhileTheFirstHoldsThem) {
  Packages first;
  Packages second;
  const auto one = request_of(first).package;
  const auto other = request_of(second).package;
  EXPECT_EQ(compiled(), 1U);
  ASSERT_TRUE(one && other);
  EXPECT_EQ(one->path, other->path);
  EXPECT_EQ(one->sha256, other->sha256);
  EXPECT_NE(one->folder, other->folder);
  EXPECT_EQ(PackageCache(packages_folder()).clear().in_use, std::vector<std::string>{"mlp"});
}

TEST_F(SharedPackages, TwoWorkersOfARunUseTheSame) {
  Packages packages;
  const auto one = request_of(packages).package;
  fs::create_symlink(tests::fake_worker(), scratch_ / "worker");
  EXPECT_EQ(request_of(packages, scratch_ / "worker").package->path, one->path);
  EXPECT_EQ(compiled(), 1U);
  scratch_.write("mpsbench/packages/" + fs::path(one->path).filename().string(), "damaged");
  fs::create_symlink(tests::fake_worker(), scratch_ / "third");
  EXPECT_EQ(request_of(packages, scratch_ / "third").package->sha256, one->sha256);
  EXPECT_EQ(compiled(), 2U);
}

TEST_F(SharedPackages, AnUnsafeFolderFailsEachCaseAlone) {
  scratch_.write("mpsbench/packages/scratch", "");  // in the place of the folder
  Packages packages;
  for (int i = 0; i < 2; ++i) {
    case_.spec.channels_last = i == 1;
    schema::LaunchRequest request;
    request.spec = case_.spec;
    const auto failed = packages.add_to(request, case_, {tests::fake_worker(), host_, interrupt_, view_});
    ASSERT_TRUE(failed);
    EXPECT_EQ(failed->status, schema::Status::failed);
    EXPECT_TRUE(tests::contains(failed->failure->message, "scratch: this is not a folder; set XDG_CACHE_HOME"))
        << failed->failure->message;
  }
}

}  // namespace
}  // namespace mpsbench::run
