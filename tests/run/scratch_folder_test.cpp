#include "run/scratch_folder.hpp"

#include "support/errors.hpp"
#include "support/scratch.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <memory>

namespace mpsbench::run {
namespace {

namespace fs = std::filesystem;
using tests::Scratch;

std::ptrdiff_t entries_of(const fs::path& folder) {
  return std::distance(fs::directory_iterator(folder), {});
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
  EXPECT_EQ(entries_of(parent.root()), 0);
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
  EXPECT_EQ(entries_of(parent.root()), 2);
  const ScratchFolder next(parent.root());
  EXPECT_EQ(entries_of(parent.root()), 2);
  EXPECT_TRUE(fs::exists(used.path()));
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
                              ": cannot be made: No such file or directory; set XDG_CACHE_HOME to a folder"));
}

}  // namespace
}  // namespace mpsbench::run
