#include "cli/commands/commands.hpp"
#include "cli/support.hpp"
#include "run/packages/packages.hpp"
#include "run/packages/scratch_folder.hpp"

#include <nlohmann/json.hpp>

#include <fstream>

namespace mpsbench::cli {
namespace {

using tests::contains;
using tests::failure;
using tests::mpsbench;

// A cache folder of its own, and no worker.
class Cache : public testing::Test {
 protected:
  static void add(const std::string& key, const std::string& case_id) {
    const run::PackageCache cache(run::packages_folder());
    const run::ScratchFolder scratch(cache.scratch_parent());
    const std::filesystem::path file = scratch.path() / "package.pt2";
    std::ofstream(file) << std::string(2048, 'x');
    run::CachedPackage package;
    package.key = key;
    package.case_id = case_id;
    package.compile_seconds = 21.034;
    package.libtorch = "2.13.0";
    package.created_at = "2026-11-21T10:02:03Z";
    cache.add(file, package);
  }

  tests::Scratch scratch_;
  tests::ScopedVariable place_{"XDG_CACHE_HOME", scratch_.root().c_str()};
  tests::ScopedVariable worker_{"MPSBENCH_WORKER", "/nowhere/mpsbench-worker"};
  std::string folder_ = (scratch_ / "mpsbench/packages").string();
};

TEST_F(Cache, OfAFreshMachineIsEmptyAndStaysUnmade) {
  EXPECT_EQ(mpsbench({"list", "packages"}).out,
            "no packages in " + folder_ + "; runs with --engine compiled make them\n");
  EXPECT_EQ(mpsbench({"list", "packages", "-f", "json"}).out, "[]\n");
  for (const char* format : {"csv", "md", "jsonl"})
    EXPECT_EQ(mpsbench({"list", "packages", "-f", format}).out, "") << format;
  const tests::Outcome shown = mpsbench({"cache"});
  EXPECT_EQ(shown.code, 0);
  EXPECT_EQ(shown.out, "folder    " + folder_ + "\npackages  0\nsize      0 B\nlimit     20.0 GiB\n");
  EXPECT_EQ(mpsbench({"cache", "--clear"}).out, "removed 0 packages, 0 B\n");
  EXPECT_FALSE(std::filesystem::exists(scratch_ / "mpsbench"));
}

TEST_F(Cache, ListsItsPackages) {
  add("0123456789abcdef", "mlp/train/cpu/b64/compiled");
  add("fedcba9876543210", "lenet5/infer/cpu/b1/compiled");
  const tests::Outcome table = mpsbench({"list", "packages"});
  EXPECT_EQ(table.code, 0);
  EXPECT_EQ(table.err, "");
  EXPECT_TRUE(contains(table.out, "\n0123456789ab  mlp/train/cpu/b64/compiled ")) << table.out;
  EXPECT_TRUE(contains(table.out, "  2,048  2.13.0               21.0  2026-11-21T10:02:03Z  2")) << table.out;
  EXPECT_TRUE(contains(table.out, "\n2 packages, 4.0 KiB of at most 20.0 GiB, in " + folder_ + "\n")) << table.out;
  const nlohmann::json entries = nlohmann::json::parse(mpsbench({"list", "packages", "-f", "json"}).out);
  ASSERT_EQ(entries.size(), 2U);
  EXPECT_EQ(entries[0].at("size_bytes"), 2048);
  EXPECT_EQ(entries[0].at("compile_seconds"), 21.034);
}

TEST_F(Cache, IsClearedExceptForWhatIsInUse) {
  add("a", "mlp/train/cpu/b64/compiled");
  add("b", "lenet5/infer/cpu/b1/compiled");
  const run::PackageCache cache(run::packages_folder());
  const auto held = cache.try_hold("b", run::Hold::shared);
  const nlohmann::json shown = nlohmann::json::parse(mpsbench({"cache", "-f", "json"}).out).at(0);
  EXPECT_EQ(shown.at("packages"), 2);
  EXPECT_EQ(shown.at("size_bytes"), 4096);
  const tests::Outcome cleared = mpsbench({"cache", "--clear"});
  EXPECT_EQ(cleared.code, 0);
  EXPECT_EQ(cleared.out, "removed 1 package, 2.0 KiB\nkept, because a run uses it: lenet5/infer/cpu/b1/compiled\n");
  const nlohmann::json again = nlohmann::json::parse(mpsbench({"cache", "--clear", "-f", "json"}).out).at(0);
  EXPECT_EQ(again.at("removed"), 0);
  EXPECT_EQ(again.at("in_use"), nlohmann::json({"lenet5/infer/cpu/b1/compiled"}));
}

TEST_F(Cache, IsRefusedIfOthersCouldPutCodeThere) {
  add("a", "mlp/train/cpu/b64/compiled");
  std::filesystem::permissions(scratch_ / "mpsbench", std::filesystem::perms::all);
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"cache"}, {"cache", "--clear"}, {"list", "packages"}})
    EXPECT_TRUE(contains(failure(2, words), "mpsbench: others may write to it, so another user could put code"));
}

TEST_F(Cache, IsNotTakenForEmptyIfItCannotBeReached) {
  std::filesystem::create_symlink("mpsbench", scratch_ / "mpsbench");
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"cache"}, {"cache", "--clear"}, {"list", "packages"}})
    EXPECT_TRUE(contains(failure(2, words), folder_ + ": this folder cannot be reached: "));
}

}  // namespace
}  // namespace mpsbench::cli
