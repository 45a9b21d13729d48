#include "base/atomic_file.hpp"

#include "support/errors.hpp"
#include "support/scratch.hpp"

#include <sys/stat.h>

#include <filesystem>
#include <string>
#include <thread>

namespace mpsbench::base {
namespace {

using tests::contains;
using tests::content;
using tests::error_of;
using tests::Scratch;
using tests::usage_error_of;

std::size_t entries(const std::filesystem::path& folder) {
  return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}

TEST(WriteFile, WritesAndReplaces) {
  const Scratch scratch;
  const auto path = scratch / "report.json";
  write_file(path, "first");
  EXPECT_EQ(content(path), "first");
  write_file(path, "");
  EXPECT_EQ(content(path), "");
  const std::string large(3'000'000, 'x');
  write_file(path, large);
  EXPECT_EQ(content(path), large);
  EXPECT_EQ(entries(scratch.root()), 1U);
}

TEST(WriteFile, GoesThroughLinks) {
  const Scratch scratch;
  const auto target = scratch.write("target", "old");
  std::filesystem::create_symlink("target", scratch / "one");
  std::filesystem::create_symlink(scratch / "one", scratch / "two");
  write_file(scratch / "two", "new");
  EXPECT_EQ(content(target), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(scratch / "one"));
  EXPECT_TRUE(std::filesystem::is_symlink(scratch / "two"));
  std::filesystem::create_symlink("made", scratch / "dangling");
  write_file(scratch / "dangling", "made");
  EXPECT_EQ(content(scratch / "made"), "made");
  EXPECT_EQ(entries(scratch.root()), 5U);
}

TEST(WriteFile, RefusesALinkThatLeadsToItself) {
  const Scratch scratch;
  std::filesystem::create_symlink("loop", scratch / "loop");
  EXPECT_TRUE(contains(error_of(ErrorKind::incomplete, [&] { write_file(scratch / "loop", "text"); }),
                       "cannot write " + (scratch / "loop").string()));
  EXPECT_TRUE(std::filesystem::is_symlink(scratch / "loop"));
}

TEST(WriteFile, KeepsModeAndOtherNames) {
  const Scratch scratch;
  const auto path = scratch.write("file", "old");
  ::chmod(path.c_str(), 0600);
  write_file(path, "new");
  EXPECT_EQ(std::filesystem::status(path).permissions(), std::filesystem::perms(0600));
  std::filesystem::create_hard_link(path, scratch / "other");
  write_file(path, "newer");
  EXPECT_EQ(content(scratch / "other"), "newer");
  write_file(scratch / "fresh", "text", path);
  EXPECT_EQ(std::filesystem::status(scratch / "fresh").permissions(), std::filesystem::perms(0600));
}

TEST(WriteFile, WritesIntoAPipe) {
  const Scratch scratch;
  const auto path = scratch / "pipe";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  std::string read;
  std::thread reader([&] { read = content(path); });
  write_file(path, "streamed");
  reader.join();
  EXPECT_EQ(read, "streamed");
  EXPECT_TRUE(std::filesystem::is_fifo(path));
  EXPECT_EQ(entries(scratch.root()), 1U);
}

TEST(WriteFile, SaysThatADeviceIsFull) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
  EXPECT_EQ(error_of(ErrorKind::incomplete, [&] { write_file("/dev/full", "text"); }),
            "cannot write /dev/full: No space left on device");
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/full"));
}

TEST(WriteFile, LeavesNothingBehindWhenItFails) {
  const Scratch scratch;
  std::filesystem::create_directory(scratch / "folder");
  const std::string message = error_of(ErrorKind::incomplete, [&] { write_file(scratch / "folder", "text"); });
  EXPECT_EQ(message.rfind("cannot write " + (scratch / "folder").string() + ": ", 0), 0U) << message;
  EXPECT_EQ(entries(scratch.root()), 1U);
}

TEST(WriteFile, SaysThatItsFolderIsGoneOrNone) {
  const Scratch scratch;
  const auto missing = scratch / "gone/report.json";
  EXPECT_TRUE(
      contains(error_of(ErrorKind::incomplete, [&] { write_file(missing, "text"); }), "No such file or directory"));
  const auto below = scratch.write("file", "") / "report.json";
  EXPECT_TRUE(contains(error_of(ErrorKind::incomplete, [&] { write_file(below, "text"); }), "Not a directory"));
}

TEST(DurableLog, AppendsLines) {
  const Scratch scratch;
  const auto path = scratch / "run.jsonl";
  {
    DurableLog log = DurableLog::create(path, "");
    log.append_line("one");
    EXPECT_EQ(content(path), "one\n");
    log.append_line("");
  }
  DurableLog again = DurableLog::open(path);
  again.append_line("three");
  EXPECT_EQ(content(path), "one\n\nthree\n");
}

TEST(DurableLog, HasOneWriterAtATime) {
  const Scratch scratch;
  const auto path = scratch / "run.jsonl";
  {
    const DurableLog log = DurableLog::create(path, "");
    EXPECT_TRUE(DurableLog::is_open_elsewhere(path));
    EXPECT_EQ(usage_error_of([&] { (void)DurableLog::open(path); }),
              path.string() + ": another mpsbench is writing this file; wait until it ends");
  }
  DurableLog::open(path).append_line("free again");
  EXPECT_EQ(content(path), "free again\n");
}

TEST(DurableLog, IsRefusedWhereItCannotBe) {
  const Scratch scratch;
  const auto path = scratch.write("run.jsonl", "kept\n");
  EXPECT_TRUE(contains(usage_error_of([&] { (void)DurableLog::create(path, ""); }),
                       "cannot write " + path.string() + ": File exists"));
  EXPECT_EQ(content(path), "kept\n");
  EXPECT_TRUE(contains(usage_error_of([&] { (void)DurableLog::create(path / "below", ""); }),
                       "Not a directory; choose another place with --export-json"));
  EXPECT_TRUE(contains(usage_error_of([&] { (void)DurableLog::open(scratch / "none"); }), "No such file"));
  EXPECT_FALSE(std::filesystem::exists(scratch / "none"));
}

TEST(DurableLog, IsReplacedAsAWhole) {
  const Scratch scratch;
  const auto path = scratch / "run.jsonl";
  DurableLog log = DurableLog::create(path, "one\n");
  log.replace("two\n");
  log.append_line("three");
  EXPECT_EQ(content(path), "two\nthree\n");
  EXPECT_TRUE(DurableLog::is_open_elsewhere(path)) << "the new file is locked, too";
  log.remove();
  EXPECT_EQ(entries(scratch.root()), 0U);
}

TEST(DurableLog, SaysThatItsFileWasRemoved) {
  const Scratch scratch;
  const auto path = scratch / "run.jsonl";
  DurableLog log = DurableLog::create(path, "one\n");
  scratch.write("run.jsonl.new", "of another");
  std::filesystem::rename(scratch / "run.jsonl.new", path);
  EXPECT_EQ(error_of(ErrorKind::incomplete, [&] { log.append_line("two"); }),
            "cannot write " + path.string() + ": the file no longer exists");
  log.remove();
  EXPECT_EQ(content(path), "of another");
}

TEST(DurableLog, ReplacesNoLogOfAnotherWriter) {
  const Scratch scratch;
  const auto path = scratch / "run.jsonl";
  DurableLog log = DurableLog::create(path, "one\n");
  const DurableLog other = DurableLog::create(scratch / "other.jsonl", "of another\n");
  std::filesystem::rename(scratch / "other.jsonl", path);
  EXPECT_EQ(error_of(ErrorKind::incomplete, [&] { log.replace("two\n"); }),
            path.string() + ": another mpsbench is writing this file");
  EXPECT_EQ(content(path), "of another\n");
}

TEST(DurableLog, SaysThatTheDiskIsFull) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
  DurableLog log = DurableLog::open("/dev/full");
  EXPECT_EQ(error_of(ErrorKind::incomplete, [&] { log.append_line("text"); }),
            "cannot write /dev/full: No space left on device");
}

TEST(RequireWritablePlace, MakesFoldersButNoFileAndKeepsOneThatIsThere) {
  const Scratch scratch;
  require_writable_place(scratch / "a/b/report.json");
  EXPECT_EQ(entries(scratch / "a/b"), 0U);
  const auto path = scratch.write("a/b/report.json", "kept");
  require_writable_place(path);
  EXPECT_EQ(content(path), "kept");
  EXPECT_EQ(entries(scratch / "a/b"), 1U);
}

TEST(RequireWritablePlace, NamesPlaceReasonAndTheOptionThatChoseIt) {
  const Scratch scratch;
  const auto below = scratch.write("file", "") / "folder/report.json";
  EXPECT_EQ(usage_error_of([&] { require_writable_place(below); }),
            "cannot write " + below.string() + ": Not a directory; choose another place with --export-json");
  EXPECT_TRUE(contains(usage_error_of([&] { require_writable_place(below, "--dump-first-step"); }),
                       "choose another place with --dump-first-step"));
}

TEST(RequireWritablePlace, RefusesAFolderThatMayNotBeWritten) {
  if (::geteuid() == 0 && !std::filesystem::exists("/proc/self/fd"))
    GTEST_SKIP() << "this system has no folder that is always unwritable";
  const Scratch scratch;
  std::filesystem::path locked = "/proc/self/fd";  // nobody can create files there, not even root
  if (::geteuid() != 0) {
    locked = scratch / "locked";
    std::filesystem::create_directory(locked);
    ::chmod(locked.c_str(), 0500);
  }
  EXPECT_TRUE(contains(usage_error_of([&] { require_writable_place(locked / "report.json"); }), "cannot write "));
}

}  // namespace
}  // namespace mpsbench::base
