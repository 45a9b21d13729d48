#include "base/private_folder.hpp"

#include "support/errors.hpp"
#include "support/scratch.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

namespace mpsbench::base {
namespace {

namespace fs = std::filesystem;
using tests::contains;
using tests::Scratch;

constexpr uid_t kStranger = 12345;

mode_t mode_of(const fs::path& path) {
  struct stat facts{};
  EXPECT_EQ(::stat(path.c_str(), &facts), 0) << path;
  return facts.st_mode & 07777;
}

std::string refusal(const fs::path& folder) {
  return tests::usage_error_of([&] { require_private_folder(folder); });
}

TEST(PrivateFolder, IsMadeForThisUserAloneWhateverTheUmaskIs) {
  const Scratch scratch;
  const mode_t before = ::umask(0);
  require_private_folder(scratch / "a/b/c");
  ::umask(before);
  for (const char* made : {"a", "a/b", "a/b/c"}) EXPECT_EQ(mode_of(scratch / made), mode_t{0700}) << made;
  require_private_folder(scratch / "a/b/c");
}

TEST(PrivateFolder, IsRefusedIfOthersMayWrite) {
  const Scratch scratch;
  require_private_folder(scratch / "a/b");
  for (const mode_t mode : {mode_t{0720}, mode_t{0702}, mode_t{01777}}) {
    ::chmod((scratch / "a/b").c_str(), mode);
    EXPECT_EQ(refusal(scratch / "a/b"), (scratch / "a/b").string() +
                                            ": others may write to it, so another user could put code there; run chmod "
                                            "go-w on it, or set XDG_CACHE_HOME to a folder that is yours alone");
  }
  ::chmod((scratch / "a/b").c_str(), 0755);
  require_private_folder(scratch / "a/b");
  EXPECT_EQ(mode_of(scratch / "a/b"), mode_t{0700});
}

TEST(PrivateFolder, IsRefusedIfItCannotBeReached) {
  const Scratch scratch;
  fs::create_symlink("loop", scratch / "loop");
  EXPECT_EQ(refusal(scratch / "loop/b"), (scratch / "loop/b").string() +
                                             ": this folder cannot be reached: Too many levels of symbolic links; set "
                                             "XDG_CACHE_HOME to a folder that is yours alone");
}

TEST(PrivateFolder, OnlyAStickyFolderAboveMayBeWritable) {
  const Scratch scratch;
  require_private_folder(scratch / "a/b/c");
  ::chmod((scratch / "a").c_str(), 01777);
  require_private_folder(scratch / "a/b/c");
  ::chmod((scratch / "a").c_str(), 0777);
  EXPECT_TRUE(contains(refusal(scratch / "a/b/c"), (scratch / "a").string() + ": others may write to it"));
}

TEST(PrivateFolder, IsNoLink) {
  const Scratch scratch;
  require_private_folder(scratch / "own");
  fs::create_symlink("own", scratch / "link");
  EXPECT_TRUE(contains(refusal(scratch / "link"), "link: this is a link, so another user could put code"));
  fs::create_symlink("nowhere", scratch / "dangling");
  EXPECT_TRUE(contains(refusal(scratch / "dangling"), "dangling: this is a link"));
}

TEST(PrivateFolder, MayBeBehindALinkThatNobodyElseCanReplace) {
  const Scratch scratch;
  require_private_folder(scratch / "own/x");
  fs::create_symlink("own", scratch / "link");
  require_private_folder(scratch / "link/x");
  fs::create_directory(scratch / "open");
  fs::create_symlink(scratch / "own", scratch / "open/link");
  fs::create_symlink("open/link", scratch / "first");  // leads through the folder that others may write to
  ::chmod((scratch / "open").c_str(), 0777);
  for (const char* way : {"open/link/x", "first/x"})
    EXPECT_TRUE(contains(refusal(scratch / way), "open: others may write to it")) << way;
}

TEST(PrivateFolder, IsRefusedIfItBelongsToAnotherUser) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can make folders of other users";
  const Scratch scratch;
  require_private_folder(scratch / "a/b");
  const auto give_away = [&](const char* name, uid_t user) {
    EXPECT_EQ(::lchown((scratch / name).c_str(), user, user), 0);
  };
  for (const char* name : {"a", "a/b"}) {
    give_away(name, kStranger);
    EXPECT_TRUE(contains(refusal(scratch / "a/b"), (scratch / name).string() + ": it belongs to another user"));
    give_away(name, 0);
  }
  fs::create_symlink("a", scratch / "link");
  require_private_folder(scratch / "link/b");
  give_away("link", kStranger);
  EXPECT_TRUE(contains(refusal(scratch / "link/b"), "link: it belongs to another user"));
}

TEST(PrivateFolder, SaysWhyItCannotBeMade) {
  const Scratch scratch;
  scratch.write("file", "");
  EXPECT_TRUE(contains(refusal(scratch / "file"), "file: this is not a folder; set XDG_CACHE_HOME"));
  EXPECT_TRUE(contains(refusal(scratch / "file/a/b"), "this folder cannot be made: Not a directory; set XDG"));
  if (!fs::exists("/proc/self/fd")) GTEST_SKIP() << "this system has no folder that is always unwritable";
  EXPECT_TRUE(contains(refusal("/proc/self/fd/a/b"), "/proc/self/fd/a/b: this folder cannot be made: "));
}

}  // namespace
}  // namespace mpsbench::base
