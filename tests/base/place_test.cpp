#include "base/place.hpp"

#include "support/scratch.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>

namespace mpsbench::base {
namespace {

namespace fs = std::filesystem;
using tests::Scratch;

TEST(Place, KnowsTheNamesOfStdout) {
  const Scratch scratch;
  fs::create_symlink("/dev/stdout", scratch / "link");
  for (const fs::path& name : {fs::path("-"), fs::path("/dev/stdout"), fs::path("/dev/fd/1"),
                               fs::path("/proc/self/fd/1"), fs::path("/dev/../dev/stdout"), scratch / "link"})
    EXPECT_TRUE(is_stdout(name)) << name;
  for (const char* name : {"./-", "stdout", "/dev/null", "/dev/stderr", "/proc/self/fd/x"})
    EXPECT_FALSE(is_stdout(name)) << name;
  EXPECT_EQ(place_of("/dev/stderr").descriptor, STDERR_FILENO);
}

TEST(Place, SaysWhatAgainstADescriptorIs) {
  EXPECT_EQ(place_of("/dev/fd/987").obstacle, "descriptor 987 is not open");
  const int own = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  EXPECT_FALSE(place_of("/dev/fd/" + std::to_string(own)).obstacle.empty()) << "it is one of our own files";
  ::close(own);
  const int readable = ::open("/dev/null", O_RDONLY);  // NOLINT(android-cloexec-open): as given by a shell
  EXPECT_EQ(place_of("/dev/fd/" + std::to_string(readable)).obstacle,
            "descriptor " + std::to_string(readable) + " is open only for reading");
  ::close(readable);
}

TEST(Place, TellsStreamsFromFiles) {
  const Scratch scratch;
  ASSERT_EQ(::mkfifo((scratch / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(place_of(scratch / "pipe").kind, Place::Kind::stream);
  EXPECT_EQ(place_of("/dev/null").kind, Place::Kind::stream);
  EXPECT_EQ(place_of(scratch / "free").kind, Place::Kind::file);
  EXPECT_TRUE(place_of(scratch / "free").obstacle.empty());
  EXPECT_EQ(place_of(scratch.root()).obstacle, "this is a folder");
  EXPECT_EQ(place_of("new/").obstacle, "this is a folder");
}

TEST(Place, IsTheSameThroughLinksOfBothKinds) {
  const Scratch scratch;
  const fs::path file = scratch.write("file", "");
  fs::create_hard_link(file, scratch / "hard");
  fs::create_symlink(file, scratch / "soft");
  fs::create_symlink("none", scratch / "dangling");
  fs::create_directory_symlink(scratch.root(), scratch / "folder");
  EXPECT_TRUE(is_same_place(file, scratch / "hard"));
  EXPECT_TRUE(is_same_place(file, scratch / "soft"));
  EXPECT_TRUE(is_same_place(scratch / "none", scratch / "dangling"));
  EXPECT_TRUE(is_same_place(scratch / "none", scratch / "folder/none"));
  EXPECT_FALSE(is_same_place(file, scratch / "none"));
  EXPECT_EQ(behind_links(scratch / "soft").filename(), "file");
  EXPECT_EQ(behind_links("no/link"), "no/link");
}

}  // namespace
}  // namespace mpsbench::base
