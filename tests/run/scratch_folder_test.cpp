#include "run/packages/scratch_folder.hpp"

#include "support/errors.hpp"
#include "support/scratch.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <set>
#include <string>

namespace mpsbench::run {
namespace {

namespace fs = std::filesystem;
using tests::Scratch;

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
  const supervise::Descriptor lock = try_lock(parent / "used.lock", Hold::exclusive);
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
  EXPECT_TRUE(tests::contains(tests::usage_error_of([&] { const ScratchFolder one(parent / "missing"); }),
                              ": cannot be locked: No such file or directory; set XDG_CACHE_HOME to a folder"));
}

}  // namespace
}  // namespace mpsbench::run
