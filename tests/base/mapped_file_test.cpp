#include "base/mapped_file.hpp"

#include "support/errors.hpp"
#include "support/scratch.hpp"

#include <sys/stat.h>

#include <algorithm>

namespace mpsbench::base {
namespace {

using tests::contains;
using tests::usage_error_of;

TEST(MappedFile, HoldsTheTextOfAFileThatMayThenGo) {
  const tests::Scratch scratch;
  const MappedFile file(scratch.write("file", "some text"));
  std::filesystem::remove(scratch / "file");
  EXPECT_EQ(file.text(), "some text");
}

TEST(MappedFile, MayBeEmpty) {
  const tests::Scratch scratch;
  MappedFile file(scratch.write("empty", ""));
  EXPECT_TRUE(file.text().empty());
  file.drop_before(0);
}

TEST(MappedFile, StaysReadableWhereItWasDropped) {
  const tests::Scratch scratch;
  const std::string text(1 << 20, 'x');
  MappedFile file(scratch.write("file", text));
  for (const std::size_t offset : {std::size_t{1}, text.size() / 2 + 1, text.size() / 4, text.size()}) {
    file.drop_before(offset);
    EXPECT_EQ(std::count(file.text().begin(), file.text().end(), 'x'), 1 << 20) << offset;
  }
}

TEST(MappedFile, RefusesWhatIsNoFile) {
  const tests::Scratch scratch;
  const auto refusal = [](const std::filesystem::path& path) {
    return usage_error_of([&] { const MappedFile file(path); });
  };
  EXPECT_TRUE(contains(refusal(scratch / "none"), "none: no such file"));
  EXPECT_TRUE(contains(refusal(scratch.root()), "is a folder, not a file"));
  ASSERT_EQ(::mkfifo((scratch / "pipe").c_str(), 0600), 0);
  EXPECT_TRUE(contains(refusal(scratch / "pipe"), "is not a regular file"));
}

}  // namespace
}  // namespace mpsbench::base
