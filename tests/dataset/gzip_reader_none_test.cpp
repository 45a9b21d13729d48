#include "dataset/data_file.hpp"
#include "dataset/gzip_reader.hpp"
#include "dataset/support.hpp"

namespace mpsbench::dataset {
namespace {

using tests::usage_error_of;

TEST(GzipReaderNone, SaysHowToUnpack) {
  const tests::Scratch scratch;
  const std::filesystem::path file = scratch.write("x.gz", "packed");
  EXPECT_EQ(
      usage_error_of([&] { (void)open_unpacked(file); }),
      file.string() + ": this mpsbench was built without zlib; unpack it first: gunzip " + file.string());
  EXPECT_EQ(usage_error_of([] { const GzipReader reader("d/x.tar.gz", {}); }),
            "d/x.tar.gz: this mpsbench was built without zlib; unpack it first: tar -xzf d/x.tar.gz -C d");
}

TEST(GzipReaderNone, PlainFilesNeedNoneOfIt) {
  const tests::Scratch scratch;
  EXPECT_EQ(tests::text_of(open_unpacked(scratch.write("x", "plain")).view), "plain");
}

}  // namespace
}  // namespace mpsbench::dataset
