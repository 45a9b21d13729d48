#include "dataset/shared_bytes.hpp"

#include "dataset/support.hpp"

#include <sys/stat.h>

namespace mpsbench::dataset {
namespace {

using tests::contains;
using tests::text_of;
using tests::usage_error_of;

TEST(SharedBytes, OutliveTheirMaker) {
  SharedBytes rest;
  {
    const SharedBytes all = share({1, 2, 3});
    EXPECT_EQ(all.view.size(), 3U);
    rest = all.from(1);
  }
  EXPECT_EQ(rest.view.size(), 2U);
  EXPECT_EQ(rest.view[0], 2);
}

TEST(SharedBytes, MapAFileThatMayThenGo) {
  const tests::Scratch scratch;
  const SharedBytes mapped = map_file(scratch.write("file", "some bytes"));
  std::filesystem::remove(scratch / "file");
  EXPECT_EQ(text_of(mapped.view), "some bytes");
}

TEST(SharedBytes, RefuseWhatIsNoFile) {
  const tests::Scratch scratch;
  const auto refusal = [](const std::filesystem::path& path) {
    return usage_error_of([&] { (void)map_file(path); });
  };
  EXPECT_TRUE(contains(refusal(scratch / "none"), "none: no such file"));
  EXPECT_TRUE(contains(refusal(scratch.root()), "is a folder, not a file"));
  EXPECT_TRUE(contains(refusal(scratch.write("empty", "")), "empty: is empty; download it again"));
  ASSERT_EQ(::mkfifo((scratch / "pipe").c_str(), 0600), 0);
  EXPECT_TRUE(contains(refusal(scratch / "pipe"), "is not a regular file"));
}

}  // namespace
}  // namespace mpsbench::dataset
