#include "run/packages/packages.hpp"

#include "base/hex.hpp"
#include "run/support.hpp"
#include "suite/model_file.hpp"

namespace mpsbench::run {
namespace {

namespace fs = std::filesystem;
using schema::Status;
using tests::contains;
using tests::ScopedVariable;
using tests::Scratch;

constexpr const char* kMakes =
    R"sh(file=$(echo "$request" | sed 's/.*"package":"\([^"]*\)".*/\1/'); echo code > "$file")sh";
// Also makes the package's twin, if one is wanted.
constexpr const char* kMakesAll =
    R"sh(for file in $(echo "$request" | grep -o '"package":"[^"]*"' | cut -d '"' -f 4); do echo code > "$file"; done)sh";

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
  std::optional<schema::Launch> add(Packages& packages, schema::LaunchRequest& request,
                                    const fs::path& worker = tests::fake_worker()) {
    return packages.add_to(request, planned(), {worker, record_.host, interrupt_, show_});
  }

  // The package that a launch gets.
  schema::PackageFile added(Packages& packages, const fs::path& worker = tests::fake_worker()) {
    schema::LaunchRequest wanted = request();
    const std::optional<schema::Launch> failed = add(packages, wanted, worker);
    EXPECT_FALSE(failed) << failed->failure->message << failed->failure->detail;
    return wanted.package.value();
  }

  schema::LaunchRequest request() { return launch_request(record_, planned()); }

  schema::LaunchRequest request_with_dropout() {
    schema::LaunchRequest wanted = request();
    schema::NetworkNode dropout;
    dropout.type = "dropout";
    dropout.options = {{"p", 0.5}};
    wanted.network_plan.nodes.push_back(dropout);
    return wanted;
  }

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
  run::RunSink show_ = view_.sink();
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
      const schema::PackageFile package = added(packages);
      EXPECT_EQ(tests::content(package.path), "code\n");
      EXPECT_EQ(package.sha256.size(), 64U);
      EXPECT_GT(package.compile_seconds, 0);
      EXPECT_TRUE(fs::is_directory(package.folder));
    }
  }
  EXPECT_EQ(compilations(), 1U);
  EXPECT_EQ(view_.told, std::vector<std::string>{"compiled " + planned().id});
  EXPECT_EQ(view_.stages.front(), "starting Python");
  EXPECT_TRUE(fs::is_empty(packages_folder() / "scratch"));
}

TEST_F(PackagesTest, WithoutDropoutAreOnlyForTheComparison) {
  Packages packages;
  schema::LaunchRequest wanted = request_with_dropout();
  ASSERT_FALSE(add(packages, wanted));
  EXPECT_FALSE(wanted.check_package);
  EXPECT_EQ(compilations(), 1U);
  wanted.check_engine = true;
  ASSERT_FALSE(add(packages, wanted));
  ASSERT_TRUE(wanted.check_package);
  EXPECT_NE(wanted.check_package->path, wanted.package->path);
  EXPECT_EQ(compilations(), 2U);
  const std::string told = "compiled " + planned().id;
  EXPECT_EQ(view_.told, (std::vector<std::string>{told, told + " without dropout"}));
}

TEST_F(PackagesTest, OfOneCaseAreMadeAtTheSameTime) {
  const std::string told = "compiled " + planned().id;
  for (const char* makes : {kMakesAll, kMakes}) {
    compile_by(makes);
    const std::size_t before = compilations();
    schema::LaunchRequest wanted = request_with_dropout();
    wanted.network_plan.nodes.back().name = makes;  // another network
    wanted.check_engine = true;
    Packages packages;
    ASSERT_FALSE(add(packages, wanted));
    EXPECT_NE(wanted.check_package.value().path, wanted.package.value().path);
    EXPECT_EQ(compilations() - before, makes == kMakesAll ? 1U : 2U);
  }
  EXPECT_EQ(view_.told, (std::vector<std::string>{told, told, told + " without dropout"}));
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
    (void)added(packages);
    const std::string key = cache.list().at(0).key;
    EXPECT_LT(cache.try_hold(key, Hold::exclusive).get(), 0);
    EXPECT_GE(cache.try_hold(key, Hold::shared).get(), 0) << "other runs may use it, too";
  }
  EXPECT_GE(cache.try_hold(cache.list().at(0).key, Hold::exclusive).get(), 0);
}

// Several runs, or several workers of one run, use the same packages.

TEST_F(PackagesTest, ASecondRunUsesThemWhileTheFirstHoldsThem) {
  Packages first;
  Packages second;
  const auto one = added(first);
  const auto other = added(second);
  EXPECT_EQ(compilations(), 1U);
  EXPECT_EQ(one.path, other.path);
  EXPECT_EQ(one.sha256, other.sha256);
  EXPECT_NE(one.folder, other.folder);
  EXPECT_EQ(PackageCache(packages_folder()).clear().in_use, std::vector<std::string>{planned().id});
}

TEST_F(PackagesTest, TwoWorkersOfARunUseTheSame) {
  Packages packages;
  const auto one = added(packages);
  const auto by_worker = [&](const std::string& name) {
    fs::create_symlink(tests::fake_worker(), scratch_ / name);
    return added(packages, scratch_ / name);
  };
  EXPECT_EQ(by_worker("second").path, one.path);
  EXPECT_EQ(compilations(), 1U);
  scratch_.write("mpsbench/packages/" + fs::path(one.path).filename().string(), "damaged");
  EXPECT_EQ(by_worker("third").sha256, one.sha256);
  EXPECT_EQ(compilations(), 2U);
}

TEST_F(PackagesTest, AnUnsafeFolderFailsEachCaseAlone) {
  scratch_.write("mpsbench/packages/scratch", "");  // in the place of the folder
  Packages packages;
  for (const bool is_last : {false, true}) {
    planned().spec.channels_last = is_last;
    schema::LaunchRequest wanted = request();
    const schema::Launch failed = add(packages, wanted).value();
    EXPECT_EQ(failed.status, Status::failed);
    EXPECT_TRUE(contains(failed.failure->message, "scratch: this is not a folder; set XDG_CACHE_HOME"))
        << failed.failure->message;
  }
}

TEST(LaunchRequest, HasThePlanAndTheFilesAsTheyAreHere) {
  const tests::ScopedVariable home("HOME", "/home/of/a/test");
  schema::RunRecord record = tests::sample_run({tests::sample_spec("mlp", schema::Mode::train, 64)}, 2);
  schema::PlannedCase& planned = record.run.planned[0];
  planned.weights_path = "~/w.safetensors";
  planned.data_path = "~/data";
  planned.vocabulary_path = "/v.txt";
  planned.dump_first_step_path = "~/d.safetensors";
  const schema::LaunchRequest request = launch_request(record, planned);
  EXPECT_EQ(request.spec, planned.spec);
  EXPECT_EQ(request.network_plan.parameters, 8 * 4 + 4);
  EXPECT_EQ(request.measure.max_time_seconds, 3);
  EXPECT_EQ(request.weights, "/home/of/a/test/w.safetensors");
  EXPECT_EQ(request.data_folder, "/home/of/a/test/data");
  EXPECT_EQ(request.vocabulary, "/v.txt");
  EXPECT_EQ(request.dump_first_step, "/home/of/a/test/d.safetensors");
  EXPECT_FALSE(request.check_output || request.report_losses || request.group);
}

TEST(LaunchRequest, SaysHowLongRanksWaitForEachOther) {
  schema::RunRecord record = tests::sample_run({tests::sample_spec("mlp", schema::Mode::train, 64)}, 2);
  schema::PlannedCase& planned = record.run.planned[0];
  planned.spec.ranks = 2;
  planned.rendezvous_timeout_seconds = 5;
  const schema::LaunchRequest request = launch_request(record, planned);
  ASSERT_TRUE(request.group);
  EXPECT_EQ(request.group->ranks, 2);
  EXPECT_EQ(request.group->timeout_seconds, 5);
}

TEST(LaunchRequest, NamesAUsersPackageItselfAndItsFingerprint) {
  const tests::Scratch folder;
  const std::filesystem::path file = std::filesystem::canonical(folder.write("net.pt2", "bytes"));
  const std::filesystem::path link = folder.root() / "link.pt2";
  std::filesystem::create_symlink(file, link);
  suite::Settings settings;
  settings.input_shapes.set({{{7}, std::nullopt}}, "--input-shape");
  const model::Definition definition = suite::model_file_definition(link.string(), settings);
  schema::RunRecord record = tests::sample_run({tests::sample_spec("link-7", schema::Mode::infer, 4)}, 1);
  record.run.definitions[definition.sha256] = definition.document;
  schema::PlannedCase& planned = record.run.planned[0];
  planned.definition_sha256 = definition.sha256;
  planned.weights_path = link.string();
  const schema::LaunchRequest request = launch_request(record, planned);
  ASSERT_TRUE(request.package);
  EXPECT_EQ(request.package->path, file.string());
  EXPECT_EQ(request.package->sha256, base::sha256_hex("bytes"));
}

}  // namespace
}  // namespace mpsbench::run
