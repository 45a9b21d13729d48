#include "report/metrics/ceiling_cache.hpp"

#include "support/scratch.hpp"

#include <gtest/gtest.h>

#include <functional>

namespace mpsbench::report {
namespace {

namespace fs = std::filesystem;

schema::Ceiling some_ceiling() {
  return {"cuda", std::nullopt, "2026-11-21T10:02:03Z", {{"bf16", 7e14}}, 4e12};
}

schema::HostInfo machine() {
  schema::HostInfo host;
  host.cpu.model = "AMD EPYC";
  host.cpu.logical_cores = 16;
  host.accelerators = {{"cuda", "NVIDIA H200", std::nullopt}, {"cuda:1", "NVIDIA L4", std::nullopt}};
  host.environment = {{"OMP_NUM_THREADS", "2"}};
  return host;
}

TEST(CeilingKey, DiffersWithAllThatACeilingDependsOn) {
  const nlohmann::json key = ceiling_key(machine(), "2.13.0", "cuda", 2);
  EXPECT_EQ(ceiling_key(machine(), "2.13.0", "cuda", 2), key);
  EXPECT_NE(ceiling_key(machine(), "2.13.0+cpu", "cuda", 2), key);
  EXPECT_NE(ceiling_key(machine(), "2.13.0", "cpu", 2), key);
  EXPECT_NE(ceiling_key(machine(), "2.13.0", "cuda", 1), key);
  EXPECT_NE(ceiling_key(machine(), "2.13.0", "cuda", std::nullopt), key);
  const std::vector<std::function<void(schema::HostInfo&)>> changes{
      [](schema::HostInfo& host) { host.cpu.model = "Apple M1"; },
      [](schema::HostInfo& host) { host.cpu.logical_cores = 8; },
      [](schema::HostInfo& host) { host.accelerators[0].name = "NVIDIA H100"; },
      [](schema::HostInfo& host) { host.environment["NVIDIA_TF32_OVERRIDE"] = "0"; }};
  for (const auto& change : changes) {
    schema::HostInfo other = machine();
    change(other);
    EXPECT_NE(ceiling_key(other, "2.13.0", "cuda", 2), key);
  }
  schema::HostInfo same = machine();
  same.name = "renamed";
  same.disk_free_bytes = 1;
  same.accelerators[1].name = "another one, not used";
  EXPECT_EQ(ceiling_key(same, "2.13.0", "cuda", 2), key);
}

TEST(CeilingCache, GivesBackWhatWasKeptUnderItsKeyOnly) {
  const tests::Scratch scratch;
  const CeilingCache cache(scratch / "a/b");
  const nlohmann::json key = ceiling_key(machine(), "2.13.0", "cuda", std::nullopt);
  EXPECT_FALSE(cache.find(key));
  cache.keep(key, some_ceiling());
  EXPECT_EQ(cache.find(key), some_ceiling());
  EXPECT_FALSE(cache.find(ceiling_key(machine(), "2.11.0", "cuda", std::nullopt)));
  schema::Ceiling better = some_ceiling();
  better.bytes_per_second = 5e12;
  cache.keep(key, better);
  EXPECT_EQ(cache.find(key), better);
}

TEST(CeilingCache, ABrokenFileCostsAWarning) {
  const tests::Scratch scratch;
  const CeilingCache cache(scratch.root());
  const nlohmann::json key = ceiling_key(machine(), "2.13.0", "cuda", std::nullopt);
  cache.keep(key, some_ceiling());
  const fs::path file = fs::directory_iterator(scratch.root())->path();
  const std::string whole = tests::content(file);
  nlohmann::json moved = nlohmann::json::parse(whole);
  moved["key"]["libtorch"] = "2.11.0";
  for (const std::string& text :
       {whole.substr(0, whole.size() / 2), std::string(), std::string("[]"), moved.dump()}) {
    scratch.write(file.filename().string(), text);
    testing::internal::CaptureStderr();
    EXPECT_FALSE(cache.find(key)) << text;
    EXPECT_NE(testing::internal::GetCapturedStderr().find(file.string()), std::string::npos) << text;
  }
  cache.keep(key, some_ceiling());
  EXPECT_EQ(cache.find(key), some_ceiling());
}

TEST(CeilingCache, WithoutAPlaceItOnlyWarns) {
  const tests::Scratch scratch;
  scratch.write("file", "");
  testing::internal::CaptureStderr();
  CeilingCache(scratch / "file/folder").keep({{"device", "cpu"}}, some_ceiling());
  EXPECT_NE(testing::internal::GetCapturedStderr().find("measured again"), std::string::npos);
}

TEST(CacheFolder, FollowsTheVariableAndElseTheHomeFolder) {
  const tests::ScopedVariable home("HOME", "/home/alice");
  {
    const tests::ScopedVariable chosen("XDG_CACHE_HOME", "/var/tmp/cache");
    EXPECT_EQ(cache_folder(), fs::path("/var/tmp/cache/mpsbench"));
  }
  for (const char* unusable : {static_cast<const char*>(nullptr), "", "relative/place"}) {
    const tests::ScopedVariable chosen("XDG_CACHE_HOME", unusable);
#ifdef __APPLE__
    EXPECT_EQ(cache_folder(), fs::path("/home/alice/Library/Caches/mpsbench"));
#else
    EXPECT_EQ(cache_folder(), fs::path("/home/alice/.cache/mpsbench"));
#endif
  }
}

}  // namespace
}  // namespace mpsbench::report
