#include "base/atomic_file.hpp"

#include "support/errors.hpp"
#include "support/scratch.hpp"

#include <sys/stat.h>

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

TEST(WriteFileAtomically, WritesAndReplaces) {
  const Scratch scratch;
  const auto path = scratch / "report.json";
  write_file_atomically(path, "first");
  EXPECT_EQ(content(path), "first");
  write_file_atomically(path, "");
  EXPECT_EQ(content(path), "");
  const std::string large(3'000'000, 'x');
  write_file_atomically(path, large);
  EXPECT_EQ(content(path), large);
  EXPECT_EQ(entries(scratch.root()), 1U);
}

TEST(WriteFileAtomically, ReplacesALinkInsteadOfWhatItNames) {
  const Scratch scratch;
  const auto target = scratch.write("target", "kept");
  std::filesystem::create_symlink(target, scratch / "link");
  write_file_atomically(scratch / "link", "new");
  EXPECT_EQ(content(target), "kept");
  EXPECT_EQ(content(scratch / "link"), "new");
}

TEST(WriteFileAtomically, LeavesNothingBehindWhenItFails) {
  const Scratch scratch;
  std::filesystem::create_directory(scratch / "folder");
  const std::string message =
      error_of(ErrorKind::incomplete, [&] { write_file_atomically(scratch / "folder", "text"); });
  EXPECT_EQ(message.rfind("cannot write " + (scratch / "folder").string() + ": ", 0), 0U) << message;
  EXPECT_EQ(entries(scratch.root()), 1U);
}

TEST(WriteFileAtomically, SaysThatItsFolderIsGoneOrNone) {
  const Scratch scratch;
  const auto missing = scratch / "gone/report.json";
  EXPECT_TRUE(contains(error_of(ErrorKind::incomplete, [&] { write_file_atomically(missing, "text"); }),
                       "No such file or directory"));
  const auto below = scratch.write("file", "") / "report.json";
  EXPECT_TRUE(contains(error_of(ErrorKind::incomplete, [&] { write_file_atomically(below, "text"); }),
                       "Not a directory"));
}

TEST(DurableLog, AppendsLines) {
  const Scratch scratch;
  const auto path = scratch / "run.jsonl";
  {
    DurableLog log(path, DurableLog::Open::create_new);
    log.append_line("one");
    EXPECT_EQ(content(path), "one\n");
    log.append_line("");
  }
  DurableLog again(path, DurableLog::Open::append);
  again.append_line("three");
  EXPECT_EQ(content(path), "one\n\nthree\n");
}

TEST(DurableLog, HasOneWriterAtATime) {
  const Scratch scratch;
  const auto path = scratch / "run.jsonl";
  {
    const DurableLog log(path, DurableLog::Open::create_new);
    EXPECT_EQ(usage_error_of([&] { DurableLog(path, DurableLog::Open::append); }),
              path.string() + ": another mpsbench is writing this file; wait until it ends");
  }
  DurableLog(path, DurableLog::Open::append).append_line("free again");
  EXPECT_EQ(content(path), "free again\n");
}

TEST(DurableLog, CreatesNoFileOverAnother) {
  const Scratch scratch;
  const auto path = scratch.write("run.jsonl", "kept\n");
  EXPECT_TRUE(contains(usage_error_of([&] { DurableLog(path, DurableLog::Open::create_new); }),
                       "cannot write " + path.string() + ": File exists"));
  EXPECT_EQ(content(path), "kept\n");
}

TEST(DurableLog, AppendsToNoFileThatIsMissing) {
  const Scratch scratch;
  EXPECT_TRUE(contains(usage_error_of([&] { DurableLog(scratch / "none", DurableLog::Open::append); }),
                       "No such file"));
  EXPECT_FALSE(std::filesystem::exists(scratch / "none"));
}

TEST(DurableLog, RefusesAPlaceBelowAFile) {
  const Scratch scratch;
  const auto below = scratch.write("file", "") / "run.jsonl";
  const std::string message = usage_error_of([&] { DurableLog(below, DurableLog::Open::create_new); });
  EXPECT_TRUE(contains(message, "Not a directory; choose another place with --export-json")) << message;
}

TEST(DurableLog, SaysThatTheDiskIsFull) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "this system has no /dev/full";
  DurableLog log("/dev/full", DurableLog::Open::append);
  EXPECT_EQ(error_of(ErrorKind::incomplete, [&] { log.append_line("text"); }),
            "cannot write /dev/full: No space left on device");
}

TEST(RequireWritablePlace, MakesFoldersAndNoFile) {
  const Scratch scratch;
  require_writable_place(scratch / "a/b/report.json");
  EXPECT_TRUE(std::filesystem::is_directory(scratch / "a/b"));
  EXPECT_EQ(entries(scratch / "a/b"), 0U);
  require_writable_place(scratch / "a/b/report.json");
}

TEST(RequireWritablePlace, KeepsAFileThatIsThere) {
  const Scratch scratch;
  const auto path = scratch.write("report.json", "kept");
  require_writable_place(path);
  EXPECT_EQ(content(path), "kept");
  EXPECT_EQ(entries(scratch.root()), 1U);
}

TEST(RequireWritablePlace, NamesPlaceReasonAndCure) {
  const Scratch scratch;
  const auto below = scratch.write("file", "") / "folder/report.json";
  const std::string message = usage_error_of([&] { require_writable_place(below); });
  EXPECT_EQ(message,
            "cannot write " + below.string() + ": Not a directory; choose another place with --export-json");
}

TEST(RequireWritablePlace, NamesTheOptionThatChoseThePlace) {
  const Scratch scratch;
  const auto below = scratch.write("file", "") / "d.safetensors";
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
  EXPECT_TRUE(
      contains(usage_error_of([&] { require_writable_place(locked / "report.json"); }), "cannot write "));
}

}  // namespace
}  // namespace mpsbench::base
