#include "cli/commands/commands.hpp"
#include "cli/support.hpp"
#include "run/packages/package_cache.hpp"
#include "run/packages/packages.hpp"

#include <nlohmann/json.hpp>

#include <fstream>

namespace mpsbench::cli {
namespace {

using tests::contains;
using tests::failure;
using tests::mpsbench;

TEST(List, ShowsModels) {
  const tests::Outcome outcome = mpsbench({"list", "models"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.out.rfind("model ", 0), 0U) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "138,357,544")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "\nvgg16 "));
  EXPECT_FALSE(contains(outcome.out, " \n")) << "blanks at a line's end";
}

TEST(List, ShowsSuitesAndDataSetsWithTheirFiles) {
  EXPECT_TRUE(contains(mpsbench({"list", "suites"}).out, "\nquick "));
  EXPECT_TRUE(contains(mpsbench({"list", "datasets"}).out, "\nsynthetic           –          –  one seeded batch"));
  const std::string table = mpsbench({"list", "datasets"}).out;
  EXPECT_TRUE(contains(table, "\ntrec            5,452        500  questions")) << table;
  EXPECT_TRUE(contains(table, "  train_5500.label, TREC_10.label\n")) << table;
  const nlohmann::json entries = nlohmann::json::parse(mpsbench({"list", "datasets", "-f", "json"}).out);
  EXPECT_EQ(entries.at(0).at("dataset"), "cifar10");
  EXPECT_EQ(entries.at(0).at("train_rows"), 50'000);
  EXPECT_EQ(entries.at(0).at("files"), nlohmann::json({"cifar-10-binary.tar.gz"}));
  EXPECT_TRUE(entries.back().at("train_rows").is_null());
}

TEST(List, SpeaksEachFormat) {
  const nlohmann::json entries = nlohmann::json::parse(mpsbench({"list", "suites", "--format", "json"}).out);
  ASSERT_GT(entries.size(), 1U);
  EXPECT_EQ(entries[0].at("suite"), "apple-bert");
  for (const nlohmann::json& entry : entries) EXPECT_FALSE(entry.at("description").get<std::string>().empty());
  const std::string csv = mpsbench({"list", "datasets", "-f", "csv"}).out;
  EXPECT_EQ(csv.rfind("dataset,train_rows,test_rows,description,files\r\n", 0), 0U) << csv;
  EXPECT_TRUE(contains(csv, ",\"train_5500.label, TREC_10.label\"\r\n")) << csv;
  EXPECT_TRUE(contains(mpsbench({"list", "models", "-f", "md"}).out, "\n| vgg16 | 138,357,544 |"));
  EXPECT_TRUE(contains(mpsbench({"list", "suites", "-f", "jsonl"}).out, entries[1].at("suite").dump()));
}

TEST(List, NeedsAWorkerForDevices) {
  const tests::ScopedVariable worker("MPSBENCH_WORKER", "/nowhere/mpsbench-worker");
  EXPECT_TRUE(contains(failure(2, {"list", "devices"}), "the worker program /nowhere/mpsbench-worker is missing"));
}

TEST(List, KnowsWhatThereIs) {
  EXPECT_EQ(failure(2, {"list"}), "mpsbench: WHAT is missing; see --help\n");
  EXPECT_EQ(failure(2, {"list", "networks"}),
            "mpsbench: WHAT: unknown list 'networks'; known: models, suites, devices, datasets, formats, "
            "packages; see "
            "--help\n");
  EXPECT_TRUE(contains(failure(2, {"list", "model"}), "unknown list 'model' (did you mean 'models'?)"));
}

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

const std::vector<std::string> kCommands[] = {{"cache"}, {"cache", "--clear"}, {"list", "packages"}};

TEST_F(Cache, IsRefusedIfOthersCouldPutCodeThere) {
  add("a", "mlp/train/cpu/b64/compiled");
  std::filesystem::permissions(scratch_ / "mpsbench", std::filesystem::perms::all);
  for (const auto& words : kCommands)
    EXPECT_TRUE(contains(failure(2, words), "mpsbench: others may write to it, so another user could put code"));
}

TEST_F(Cache, IsNotTakenForEmptyIfItCannotBeReached) {
  std::filesystem::create_symlink("mpsbench", scratch_ / "mpsbench");
  for (const auto& words : kCommands)
    EXPECT_TRUE(contains(failure(2, words), folder_ + ": this folder cannot be reached: "));
}

schema::HostInfo mac() {
  schema::HostInfo host;
  host.cpu.model = "Apple M1 Max";
  host.cpu.physical_cores = 10;
  host.memory_bytes = std::int64_t{64} << 30;
  host.gpu_cores = 32;
  return host;
}

std::vector<schema::DeviceStatus> devices() {
  return {{.device = "cpu", .name = "the CPU", .built_in = true, .usable = true},
          {.device = "mps", .name = "Apple GPU", .built_in = true, .usable = true, .memory_bytes = 48},
          {.device = "cuda", .name = "NVIDIA GPU", .reason = "there is no CUDA on a Mac"}};
}

TEST(DeviceEntries, NameTheCpuAndCountMemoryAndCores) {
  std::vector<schema::DeviceStatus> found = devices();
  describe_cpu(found, mac());
  const nlohmann::ordered_json entries = device_entries(found, mac());
  EXPECT_EQ(entries.at(0).at("name"), "Apple M1 Max");
  EXPECT_EQ(entries.at(0).at("memory_bytes"), std::int64_t{64} << 30);
  EXPECT_EQ(entries.at(1).at("name"), "Apple GPU");
  EXPECT_EQ(entries.at(1).at("memory_bytes"), 48);
  EXPECT_EQ(entries.at(0).at("cores"), 10);
  EXPECT_EQ(entries.at(1).at("cores"), 32);
  EXPECT_TRUE(entries.at(2).at("cores").is_null());
  found = devices();
  describe_cpu(found, {});
  const nlohmann::ordered_json untold = device_entries(found, {});
  EXPECT_EQ(untold.at(0).at("name"), "the CPU");
  EXPECT_TRUE(untold.at(0).at("memory_bytes").is_null());
  EXPECT_TRUE(untold.at(1).at("cores").is_null());
}

}  // namespace
}  // namespace mpsbench::cli
