#include "run/packages/package_cache.hpp"

#include "run/packages/scratch_folder.hpp"
#include "run/support.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstring>

namespace mpsbench::run {
namespace {

namespace fs = std::filesystem;
using tests::contains;
using tests::Scratch;

CachedPackage described(const std::string& key) {
  CachedPackage package;
  package.key = key;
  package.case_id = "mlp/" + key;
  package.compile_seconds = 12.5;
  package.libtorch = "2.13.0";
  package.created_at = "2026-11-21T10:02:0" + std::to_string(key.size()) + "Z";
  return package;
}

CachedPackage add(const PackageCache& cache, const std::string& key, const std::string& code = "code",
                  std::int64_t most_bytes = PackageCache::kMostBytes) {
  const ScratchFolder scratch(cache.scratch_parent());
  const fs::path file = scratch.path() / "package.pt2";
  std::ofstream(file) << code;
  return cache.add(file, described(key), most_bytes);
}

// Lets KEY have been used AGE ago.
void use_long_ago(const Scratch& scratch, const std::string& key, std::chrono::hours age) {
  fs::last_write_time(scratch / (key + ".json"), fs::file_time_type::clock::now() - age);
}

// What FIND returns, and what it says on stderr.
std::string warning_of(const PackageCache& cache, const std::string& key) {
  testing::internal::CaptureStderr();
  EXPECT_FALSE(cache.find(key));
  return testing::internal::GetCapturedStderr();
}

std::vector<std::string> keys_of(const PackageCache& cache) {
  std::vector<std::string> keys;
  for (const CachedPackage& one : cache.list()) keys.push_back(one.key);
  return keys;
}

TEST(PackageCache, KeepsWhatWasAdded) {
  const Scratch scratch;
  const PackageCache cache(scratch.root());
  EXPECT_FALSE(cache.find("k"));
  add(cache, "k");
  const std::optional<CachedPackage> found = PackageCache(scratch.root()).find("k");
  ASSERT_TRUE(found);
  EXPECT_EQ(tests::content(found->file), "code");
  EXPECT_EQ(found->bytes, 4);
  EXPECT_EQ(found->sha256, "5694d08a2e53ffcae0c3103e5ad6f6076abd960eb1f8a56577040bc1028f702b");
  EXPECT_EQ(found->case_id, "mlp/k");
  EXPECT_EQ(found->libtorch, "2.13.0");
  EXPECT_EQ(found->compile_seconds, 12.5);
  EXPECT_EQ(found->used_at.size(), found->created_at.size());
  EXPECT_TRUE(fs::is_empty(cache.scratch_parent()));
}

TEST(PackageCache, FindsDamageAndSwappedFiles) {
  const Scratch scratch;
  const PackageCache cache(scratch.root());
  add(cache, "k");
  scratch.write("k.pt2", "c0de");
  EXPECT_TRUE(contains(warning_of(cache, "k"), "k.pt2: this package is damaged; it is made again"));
  EXPECT_FALSE(fs::exists(scratch / "k.pt2"));
  add(cache, "k");
  fs::resize_file(scratch / "k.pt2", 0);
  EXPECT_TRUE(contains(warning_of(cache, "k"), "this package is damaged"));
  add(cache, "k");
  add(cache, "other", "other code");
  fs::copy_file(scratch / "other.pt2", scratch / "k.pt2", fs::copy_options::overwrite_existing);
  EXPECT_TRUE(contains(warning_of(cache, "k"), "this package is damaged"));
  add(cache, "k");
  for (const char* ending : {".pt2", ".json"})
    fs::copy_file(scratch / (std::string("other") + ending), scratch / (std::string("k") + ending),
                  fs::copy_options::overwrite_existing);
  EXPECT_TRUE(contains(warning_of(cache, "k"), "k.json: $.key: does not match the file's name; the package is"));
  EXPECT_TRUE(cache.find("other"));
  add(cache, "k");
  fs::rename(scratch / "k.pt2", scratch / "moved");
  fs::create_symlink(scratch / "moved", scratch / "k.pt2");
  EXPECT_TRUE(contains(warning_of(cache, "k"), "k.pt2: this is not a plain file; the package is made again"));
  EXPECT_FALSE(fs::is_symlink(scratch / "k.pt2"));
}

TEST(PackageCache, MakesAPackageWithDamagedFactsAgain) {
  const Scratch scratch;
  const PackageCache cache(scratch.root());
  for (const char* facts : {"{", "[]", "{\"key\": \"k\"}", "{\"key\": 1}", ""}) {
    add(cache, "k");
    scratch.write("k.json", facts);
    EXPECT_TRUE(contains(warning_of(cache, "k"), "; the package is made again\n")) << facts;
    EXPECT_EQ(warning_of(cache, "k"), "") << "it was removed";
  }
  add(cache, "k");
  fs::remove(scratch / "k.json");
  EXPECT_TRUE(contains(warning_of(cache, "k"), "k.json: no such file; the package is made again"));
  scratch.write("k.json", "{}");  // from a process that was killed before it added the package
  EXPECT_EQ(warning_of(cache, "k"), "");
  EXPECT_EQ(add(cache, "k").bytes, 4);
}

TEST(PackageCache, DamagedFactsCountButAreNotListed) {
  const Scratch scratch;
  const PackageCache cache(scratch.root());
  add(cache, "k");
  add(cache, "damaged");
  scratch.write("damaged.json", "{");
  testing::internal::CaptureStderr();
  EXPECT_EQ(keys_of(cache), std::vector<std::string>{"k"});
  EXPECT_TRUE(contains(testing::internal::GetCapturedStderr(), "a run that needs this package makes it again"));
  EXPECT_EQ(cache.size().packages, 2U);
  EXPECT_EQ(cache.size().bytes, 8);
  const supervise::Descriptor held = cache.try_hold("damaged", Hold::shared);
  EXPECT_EQ(cache.clear().in_use, std::vector<std::string>{"damaged"});
}

TEST(PackageCache, OneMakesAPackageAndManyUseIt) {
  const Scratch scratch;
  const PackageCache cache(scratch.root());
  supervise::Descriptor first = cache.try_hold("k", Hold::shared);
  supervise::Descriptor second = cache.try_hold("k", Hold::shared);
  EXPECT_GE(second.get(), 0);
  EXPECT_LT(cache.try_hold("k", Hold::exclusive).get(), 0);
  EXPECT_GE(cache.try_hold("other", Hold::exclusive).get(), 0);
  first.close();
  second.close();
  const supervise::Descriptor maker = cache.try_hold("k", Hold::exclusive);
  EXPECT_GE(maker.get(), 0);
  EXPECT_LT(cache.try_hold("k", Hold::shared).get(), 0);
}

TEST(PackageCache, EvictsWhatWasUsedLeastRecentlyAndIsNotInUse) {
  const Scratch scratch;
  const PackageCache cache(scratch.root());
  for (const char* key : {"oldest", "older", "old"}) add(cache, key, "0123456789");
  use_long_ago(scratch, "oldest", std::chrono::hours(3));
  use_long_ago(scratch, "older", std::chrono::hours(2));
  use_long_ago(scratch, "old", std::chrono::hours(1));
  const supervise::Descriptor held = cache.try_hold("oldest", Hold::shared);
  add(cache, "new", "0123456789", 40);
  EXPECT_EQ(cache.size().packages, 4U);
  ASSERT_TRUE(cache.find("older"));  // used just now
  add(cache, "newer", "0123456789", 40);
  EXPECT_EQ(keys_of(cache), (std::vector<std::string>{"new", "newer", "older", "oldest"}));
  add(cache, "huge", std::string(100, 'x'), 40);
  EXPECT_EQ(keys_of(cache), (std::vector<std::string>{"huge", "oldest"}));
  EXPECT_EQ(cache.size().bytes, 110);
}

TEST(PackageCache, ClearsAllButWhatIsInUse) {
  const Scratch scratch;
  const PackageCache cache(scratch.root());
  add(cache, "a");
  add(cache, "b");
  add(cache, "c", "more code");
  scratch.write("killed.json", "{}");
  fs::create_directory(cache.scratch_parent() / "abandoned");
  const ScratchFolder in_use(cache.scratch_parent());
  supervise::Descriptor held = cache.try_hold("b", Hold::shared);
  PackageCache::Cleared cleared = cache.clear();
  EXPECT_EQ(cleared.removed.packages, 2U);
  EXPECT_EQ(cleared.removed.bytes, 13);
  EXPECT_EQ(cleared.in_use, std::vector<std::string>{"mlp/b"});
  EXPECT_TRUE(cache.find("b"));
  EXPECT_TRUE(fs::exists(in_use.path()));
  EXPECT_FALSE(fs::exists(cache.scratch_parent() / "abandoned"));
  held.close();
  EXPECT_EQ(cache.clear().removed.packages, 1U);
  EXPECT_EQ(std::distance(fs::directory_iterator(scratch.root()), {}), 1) << "only the scratch folder stays";
}

TEST(PackageCache, ALockOfARemovedPackageIsNotTaken) {
  const Scratch scratch;
  const PackageCache cache(scratch.root());
  add(cache, "k");
  EXPECT_EQ(cache.clear().removed.packages, 1U);
  const supervise::Descriptor maker = cache.try_hold("k", Hold::exclusive);
  EXPECT_GE(maker.get(), 0);
  EXPECT_LT(PackageCache(scratch.root()).try_hold("k", Hold::shared).get(), 0);
}

TEST(PackageCache, SaysWhatToDoIfItsFolderIsUnsafe) {
  const Scratch scratch;
  ::chmod(scratch.root().c_str(), 0777);
  EXPECT_TRUE(
      contains(tests::usage_error_of([&] { const PackageCache cache(scratch.root()); }), "others may write to it"));
  ::chmod(scratch.root().c_str(), 0700);
  fs::create_symlink("/tmp", scratch / "scratch");
  EXPECT_TRUE(
      contains(tests::usage_error_of([&] { const PackageCache cache(scratch.root()); }), "scratch: this is a link"));
}

TEST(PackageCache, SaysWhatToDoIfItCannotWrite) {
  const Scratch scratch;
  const PackageCache cache(scratch.root());
  // A folder in the place of a file makes root fail, too.
  fs::create_directory(scratch / "k.lock");
  EXPECT_TRUE(
      contains(tests::usage_error_of([&] { (void)cache.try_hold("k", Hold::shared); }), "k.lock: cannot be locked: "));
  scratch.write("k.pt2/file", "");
  const std::string message = tests::error_of(base::ErrorKind::incomplete, [&] { add(cache, "k"); });
  EXPECT_TRUE(contains(message, "the package cannot be kept: ")) << message;
  EXPECT_TRUE(contains(message, "; make room (mpsbench cache --clear), or set XDG_CACHE_HOME")) << message;
}

}  // namespace
}  // namespace mpsbench::run
