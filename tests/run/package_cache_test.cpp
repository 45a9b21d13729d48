#include "run/packages/package_cache.hpp"

#include "run/support.hpp"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstring>
#include <set>

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

class PackageCacheTest : public testing::Test {
 protected:
  Scratch scratch_;
  PackageCache cache_{scratch_.root()};
};

TEST_F(PackageCacheTest, KeepsWhatWasAdded) {
  EXPECT_FALSE(cache_.find("k"));
  add(cache_, "k");
  const std::optional<CachedPackage> found = PackageCache(scratch_.root()).find("k");
  ASSERT_TRUE(found);
  EXPECT_EQ(tests::content(found->file), "code");
  EXPECT_EQ(found->bytes, 4);
  EXPECT_EQ(found->sha256, "5694d08a2e53ffcae0c3103e5ad6f6076abd960eb1f8a56577040bc1028f702b");
  EXPECT_EQ(found->case_id, "mlp/k");
  EXPECT_EQ(found->libtorch, "2.13.0");
  EXPECT_EQ(found->compile_seconds, 12.5);
  EXPECT_EQ(found->used_at.size(), found->created_at.size());
  EXPECT_TRUE(fs::is_empty(cache_.scratch_parent()));
}

TEST_F(PackageCacheTest, FindsDamageAndSwappedFiles) {
  add(cache_, "k");
  scratch_.write("k.pt2", "c0de");
  EXPECT_TRUE(contains(warning_of(cache_, "k"), "k.pt2: this package is damaged; it is made again"));
  EXPECT_FALSE(fs::exists(scratch_ / "k.pt2"));
  add(cache_, "k");
  fs::resize_file(scratch_ / "k.pt2", 0);
  EXPECT_TRUE(contains(warning_of(cache_, "k"), "this package is damaged"));
  add(cache_, "k");
  add(cache_, "other", "other code");
  fs::copy_file(scratch_ / "other.pt2", scratch_ / "k.pt2", fs::copy_options::overwrite_existing);
  EXPECT_TRUE(contains(warning_of(cache_, "k"), "this package is damaged"));
  add(cache_, "k");
  for (const char* ending : {".pt2", ".json"})
    fs::copy_file(scratch_ / (std::string("other") + ending), scratch_ / (std::string("k") + ending),
                  fs::copy_options::overwrite_existing);
  EXPECT_TRUE(contains(warning_of(cache_, "k"), "k.json: $.key: does not match the file's name; the package is"));
  EXPECT_TRUE(cache_.find("other"));
  add(cache_, "k");
  fs::rename(scratch_ / "k.pt2", scratch_ / "moved");
  fs::create_symlink(scratch_ / "moved", scratch_ / "k.pt2");
  EXPECT_TRUE(contains(warning_of(cache_, "k"), "k.pt2: this is not a plain file; the package is made again"));
  EXPECT_FALSE(fs::is_symlink(scratch_ / "k.pt2"));
}

TEST_F(PackageCacheTest, MakesAPackageWithDamagedFactsAgain) {
  for (const char* facts : {"{", "[]", "{\"key\": \"k\"}", "{\"key\": 1}", ""}) {
    add(cache_, "k");
    scratch_.write("k.json", facts);
    EXPECT_TRUE(contains(warning_of(cache_, "k"), "; the package is made again\n")) << facts;
    EXPECT_EQ(warning_of(cache_, "k"), "") << "it was removed";
  }
  add(cache_, "k");
  fs::remove(scratch_ / "k.json");
  EXPECT_TRUE(contains(warning_of(cache_, "k"), "k.json: no such file; the package is made again"));
  scratch_.write("k.json", "{}");  // from a process that was killed before it added the package
  EXPECT_EQ(warning_of(cache_, "k"), "");
  EXPECT_EQ(add(cache_, "k").bytes, 4);
}

TEST_F(PackageCacheTest, DamagedFactsCountButAreNotListed) {
  add(cache_, "k");
  add(cache_, "damaged");
  scratch_.write("damaged.json", "{");
  testing::internal::CaptureStderr();
  EXPECT_EQ(keys_of(cache_), std::vector<std::string>{"k"});
  EXPECT_TRUE(contains(testing::internal::GetCapturedStderr(), "a run that needs this package makes it again"));
  EXPECT_EQ(cache_.size().packages, 2U);
  EXPECT_EQ(cache_.size().bytes, 8);
  const base::Descriptor held = cache_.try_hold("damaged", Hold::shared);
  EXPECT_EQ(cache_.clear().in_use, std::vector<std::string>{"damaged"});
}

TEST_F(PackageCacheTest, OneMakesAPackageAndManyUseIt) {
  base::Descriptor first = cache_.try_hold("k", Hold::shared);
  base::Descriptor second = cache_.try_hold("k", Hold::shared);
  EXPECT_GE(second.get(), 0);
  EXPECT_LT(cache_.try_hold("k", Hold::exclusive).get(), 0);
  EXPECT_GE(cache_.try_hold("other", Hold::exclusive).get(), 0);
  first.close();
  second.close();
  const base::Descriptor maker = cache_.try_hold("k", Hold::exclusive);
  EXPECT_GE(maker.get(), 0);
  EXPECT_LT(cache_.try_hold("k", Hold::shared).get(), 0);
}

TEST_F(PackageCacheTest, EvictsWhatWasUsedLeastRecentlyAndIsNotInUse) {
  for (const char* key : {"oldest", "older", "old"}) add(cache_, key, "0123456789");
  use_long_ago(scratch_, "oldest", std::chrono::hours(3));
  use_long_ago(scratch_, "older", std::chrono::hours(2));
  use_long_ago(scratch_, "old", std::chrono::hours(1));
  const base::Descriptor held = cache_.try_hold("oldest", Hold::shared);
  add(cache_, "new", "0123456789", 40);
  EXPECT_EQ(cache_.size().packages, 4U);
  ASSERT_TRUE(cache_.find("older"));  // used just now
  add(cache_, "newer", "0123456789", 40);
  EXPECT_EQ(keys_of(cache_), (std::vector<std::string>{"new", "newer", "older", "oldest"}));
  add(cache_, "huge", std::string(100, 'x'), 40);
  EXPECT_EQ(keys_of(cache_), (std::vector<std::string>{"huge", "oldest"}));
  EXPECT_EQ(cache_.size().bytes, 110);
}

TEST_F(PackageCacheTest, ClearsAllButWhatIsInUse) {
  add(cache_, "a");
  add(cache_, "b");
  add(cache_, "c", "more code");
  scratch_.write("killed.json", "{}");
  fs::create_directory(cache_.scratch_parent() / "abandoned");
  const ScratchFolder in_use(cache_.scratch_parent());
  base::Descriptor held = cache_.try_hold("b", Hold::shared);
  PackageCache::Cleared cleared = cache_.clear();
  EXPECT_EQ(cleared.removed.packages, 2U);
  EXPECT_EQ(cleared.removed.bytes, 13);
  EXPECT_EQ(cleared.in_use, std::vector<std::string>{"mlp/b"});
  EXPECT_TRUE(cache_.find("b"));
  EXPECT_TRUE(fs::exists(in_use.path()));
  EXPECT_FALSE(fs::exists(cache_.scratch_parent() / "abandoned"));
  held.close();
  EXPECT_EQ(cache_.clear().removed.packages, 1U);
  EXPECT_EQ(std::distance(fs::directory_iterator(scratch_.root()), {}), 1) << "only the scratch_ folder stays";
}

TEST_F(PackageCacheTest, ALockOfARemovedPackageIsNotTaken) {
  add(cache_, "k");
  EXPECT_EQ(cache_.clear().removed.packages, 1U);
  const base::Descriptor maker = cache_.try_hold("k", Hold::exclusive);
  EXPECT_GE(maker.get(), 0);
  EXPECT_LT(PackageCache(scratch_.root()).try_hold("k", Hold::shared).get(), 0);
}

TEST_F(PackageCacheTest, SaysWhatToDoIfItCannotWrite) {
  // A folder in the place of a file makes root fail, too.
  fs::create_directory(scratch_ / "k.lock");
  EXPECT_TRUE(
      contains(tests::usage_error_of([&] { (void)cache_.try_hold("k", Hold::shared); }), "k.lock: cannot be locked: "));
  scratch_.write("k.pt2/file", "");
  const std::string message = tests::error_of(base::ErrorKind::incomplete, [&] { add(cache_, "k"); });
  EXPECT_TRUE(contains(message, "the package cannot be kept: ")) << message;
  EXPECT_TRUE(contains(message, "; make room (mpsbench cache --clear), or set XDG_CACHE_HOME")) << message;
}

// The names in FOLDER, without those of locks.
std::set<std::string> folders_of(const fs::path& folder) {
  std::set<std::string> names;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() != ".lock") names.insert(entry.path().filename().string());
  }
  return names;
}

TEST(ScratchFolder, IsForThisUserAloneAndGoesWithItsObject) {
  const Scratch parent;
  {
    const ScratchFolder scratch(parent.root());
    struct stat facts{};
    ASSERT_EQ(::stat(scratch.path().c_str(), &facts), 0);
    EXPECT_EQ(facts.st_mode & 0777, mode_t{0700});
    fs::create_directories(scratch.path() / "a/b");
  }
  EXPECT_TRUE(fs::is_empty(parent.root()));
}

TEST(ScratchFolder, TheNextOneRemovesThoseOfKilledProcessesOnly) {
  const Scratch parent;
  const ScratchFolder used(parent.root());
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    const ScratchFolder killed(parent.root());
    fs::create_directory(killed.path() / "left");
    ::raise(SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(folders_of(parent.root()).size(), 2U);
  const ScratchFolder next(parent.root());
  EXPECT_EQ(folders_of(parent.root()),
            (std::set<std::string>{used.path().filename().string(), next.path().filename().string()}));
}

TEST(ScratchFolder, IsInUseWhileAPlainFileBesideItIsLocked) {
  const Scratch parent;
  parent.write("used/file", "");
  parent.write("left/file", "");
  const base::Descriptor lock = try_lock(parent / "used.lock", Hold::exclusive);
  EXPECT_TRUE(fs::is_regular_file(parent / "used.lock"));
  remove_abandoned(parent.root());
  EXPECT_TRUE(fs::exists(parent / "used/file"));
  EXPECT_FALSE(fs::exists(parent / "left"));
}

TEST(ScratchFolder, LeavesWhatItCannotLock) {
  const Scratch parent;
  parent.write("odd/file", "");
  fs::create_directory(parent / "odd.lock");
  const ScratchFolder scratch(parent.root());
  EXPECT_TRUE(fs::exists(parent / "odd/file"));
}

TEST(ScratchFolder, FollowsNoLink) {
  const Scratch parent;
  const Scratch other;
  other.write("file", "");
  fs::create_directory_symlink(other.root(), parent / "link");
  const ScratchFolder scratch(parent.root());
  EXPECT_TRUE(fs::exists(other / "file"));
}

TEST(ScratchFolder, SaysWhyItCannotBeMade) {
  const Scratch parent;
  EXPECT_TRUE(contains(tests::usage_error_of([&] { const ScratchFolder one(parent / "missing"); }),
                       ": cannot be locked: No such file or directory; set XDG_CACHE_HOME to a folder"));
}

}  // namespace
}  // namespace mpsbench::run
