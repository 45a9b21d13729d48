#include "run/packages/packages.hpp"

#include "run/plan/launch_request.hpp"
#include "run/support.hpp"

namespace mpsbench::run {
namespace {

namespace fs = std::filesystem;
using schema::Status;
using tests::contains;
using tests::ScopedVariable;
using tests::Scratch;

constexpr const char* kMakes =
    R"sh(file=$(echo "$request" | sed 's/.*"package":"\([^"]*\)".*/\1/'); echo code > "$file")sh";

// Packages for the fake worker, compiled by a shell script.
class PackagesTest : public testing::Test {
 protected:
  PackagesTest() : record_(tests::quick_run(1)) {
    planned().spec.engine = schema::Engine::compiled;
    compile_by(kMakes);
  }

  schema::PlannedCase& planned() { return record_.run.planned[0]; }

  // CODE has the request in $request.
  void compile_by(const std::string& code) const {
    const std::string log = (scratch_ / "log").string();
    scratch_.write("python", "#!/bin/sh\nread -r request\necho x >> " + log + "\n" + code + "\n");
    fs::permissions(python_, fs::perms::owner_all);
  }

  // How often the compiler ran.
  std::size_t compilations() const { return tests::content(scratch_ / "log").size() / 2; }

  // Adds the packages for a launch to REQUEST.
  std::optional<schema::Launch> add(Packages& packages, schema::LaunchRequest& request) {
    return packages.add_to(request, planned(), {tests::fake_worker(), record_.host, interrupt_, view_});
  }

  schema::LaunchRequest request() { return launch_request(record_, planned()); }

  // The failure of a launch that can have no package.
  schema::Launch failed() {
    Packages packages;
    schema::LaunchRequest wanted = request();
    return add(packages, wanted).value();
  }

  Scratch scratch_;
  fs::path python_ = scratch_ / "python";
  ScopedVariable chosen_{"MPSBENCH_PYTHON", python_.c_str()};
  ScopedVariable cache_{"XDG_CACHE_HOME", scratch_.root().c_str()};
  schema::RunRecord record_;
  supervise::Interrupt interrupt_;
  tests::RecordingView view_;
};

TEST_F(PackagesTest, OfOtherEnginesAreNotNeeded) {
  planned().spec.engine = schema::Engine::eager;
  Packages packages;
  schema::LaunchRequest wanted = request();
  EXPECT_FALSE(add(packages, wanted));
  EXPECT_FALSE(wanted.package);
  EXPECT_FALSE(fs::exists(packages_folder()));
  EXPECT_EQ(compilations(), 0U);
}

TEST_F(PackagesTest, AreMadeOnceForAllRuns) {
  for (int run = 0; run < 2; ++run) {
    Packages packages;
    for (int launch = 0; launch < 2; ++launch) {
      schema::LaunchRequest wanted = request();
      ASSERT_FALSE(add(packages, wanted));
      ASSERT_TRUE(wanted.package);
      EXPECT_EQ(tests::content(wanted.package->path), "code\n");
      EXPECT_EQ(wanted.package->sha256.size(), 64U);
      EXPECT_GT(wanted.package->compile_seconds, 0);
      EXPECT_TRUE(fs::is_directory(wanted.package->folder));
      EXPECT_FALSE(wanted.check_package) << "without dropout, the package itself is compared";
    }
  }
  EXPECT_EQ(compilations(), 1U);
  EXPECT_EQ(view_.told, std::vector<std::string>{"compiled " + planned().id});
  EXPECT_EQ(view_.stages.front(), "starting Python");
  EXPECT_TRUE(fs::is_empty(packages_folder() / "scratch"));
}

TEST_F(PackagesTest, WithoutDropoutAreOnlyForTheComparison) {
  Packages packages;
  schema::LaunchRequest wanted = request();
  schema::NetworkNode dropout;
  dropout.type = "dropout";
  dropout.options = {{"p", 0.5}};
  wanted.network_plan.nodes.push_back(dropout);
  ASSERT_FALSE(add(packages, wanted));
  EXPECT_FALSE(wanted.check_package);
  EXPECT_EQ(compilations(), 1U);
  wanted.check_engine = true;
  ASSERT_FALSE(add(packages, wanted));
  ASSERT_TRUE(wanted.check_package);
  EXPECT_NE(wanted.check_package->path, wanted.package->path);
  EXPECT_EQ(compilations(), 2U);
}

TEST_F(PackagesTest, ThatCannotBeMadeFailTheLaunchWithoutAnotherTry) {
  compile_by("echo why >&2; exit 1");
  Packages packages;
  for (int launch = 0; launch < 2; ++launch) {
    schema::LaunchRequest wanted = request();
    const schema::Launch failed = add(packages, wanted).value();
    EXPECT_EQ(failed.status, Status::failed);
    EXPECT_EQ(failed.failure->kind, "compile");
    EXPECT_TRUE(contains(failed.failure->message, "exit code 1: why")) << failed.failure->message;
    EXPECT_EQ(failed.failure->detail, "why\n");
  }
  EXPECT_EQ(compilations(), 1U);
  ASSERT_EQ(view_.told.size(), 1U);
  EXPECT_TRUE(contains(view_.told[0], "why"));
}

TEST_F(PackagesTest, ThatTakeTooLongAreATimeout) {
  compile_by("sleep 60");
  planned().timeout_seconds = 0.05;
  EXPECT_EQ(failed().status, Status::timeout);
}

TEST_F(PackagesTest, WithoutACompilerAreUnsupported) {
  const ScopedVariable nowhere("MPSBENCH_PYTHON", "/nowhere/python");
  const schema::Launch launch = failed();
  EXPECT_EQ(launch.status, Status::unsupported);
  EXPECT_TRUE(contains(launch.failure->message, "MPSBENCH_PYTHON")) << launch.failure->message;
}

TEST_F(PackagesTest, InAFolderThatOthersMayChangeAreRefused) {
  fs::create_directories(packages_folder());
  fs::permissions(packages_folder(), fs::perms::all);
  const schema::Launch launch = failed();
  EXPECT_EQ(launch.status, Status::failed);
  EXPECT_TRUE(contains(launch.failure->message, "others may write to it")) << launch.failure->message;
  EXPECT_EQ(compilations(), 0U);
}

TEST_F(PackagesTest, StayInTheCacheWhileTheyAreUsed) {
  const PackageCache cache(packages_folder());
  {
    Packages packages;
    schema::LaunchRequest wanted = request();
    ASSERT_FALSE(add(packages, wanted));
    const std::string key = cache.list().at(0).key;
    EXPECT_LT(cache.try_hold(key, Hold::exclusive).get(), 0);
    EXPECT_GE(cache.try_hold(key, Hold::shared).get(), 0) << "other runs may use it, too";
  }
  EXPECT_GE(cache.try_hold(cache.list().at(0).key, Hold::exclusive).get(), 0);
}

}  // namespace
}  // namespace mpsbench::run
