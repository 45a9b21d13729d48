#include "dataset/gzip_reader.hpp"

#include "dataset/gzipped.hpp"
#include "dataset/support.hpp"

namespace mpsbench::dataset {
namespace {

using tests::bytes_of;
using tests::contains;
using tests::gzipped;
using tests::text_of;
using tests::usage_error_of;

// Text that does not compress to almost nothing, and that is longer than the reader's first piece.
std::string long_text() {
  std::string text;
  for (int i = 0; i < 40'000; ++i) text += std::to_string(i * i % 9973);
  return text;
}

std::string all_of(const std::string& packed) {
  return text_of(GzipReader("f.gz", bytes_of(packed)).take_rest());
}

TEST(GzipReader, UnpacksWholesaleAndInPieces) {
  const std::string text = long_text();
  const std::string packed = gzipped(text);
  EXPECT_EQ(all_of(packed), text);
  GzipReader reader("f.gz", bytes_of(packed));
  std::string pieces = text_of(reader.take(10));
  pieces += text_of(reader.take(100'000));
  reader.skip(7);
  pieces += text.substr(100'010, 7);
  pieces += text_of(reader.take_rest());
  EXPECT_EQ(pieces, text);
  EXPECT_TRUE(reader.take(0).empty());
  EXPECT_EQ(all_of(gzipped("")), "");
}

TEST(GzipReader, JoinsTheMembersOfAFile) {
  EXPECT_EQ(all_of(gzipped("one, ") + gzipped("two")), "one, two");
}

TEST(GzipReader, EndsWhereTheDataEnds) {
  const std::string packed = gzipped("four");
  GzipReader short_of("f.gz", bytes_of(packed));
  EXPECT_TRUE(contains(usage_error_of([&] { (void)short_of.take(6); }),
                       "f.gz: is truncated: its unpacked data ends 2 bytes too early"));
  GzipReader beyond("f.gz", bytes_of(packed));
  (void)beyond.take(3);
  EXPECT_TRUE(contains(usage_error_of([&] { beyond.expect_end(); }), "unpacks to more bytes"));
  GzipReader skipping("f.gz", bytes_of(packed));
  EXPECT_TRUE(contains(usage_error_of([&] { skipping.skip(5); }), "is truncated"));
}

TEST(GzipReader, RefusesWhatIsCutOrChanged) {
  const std::string packed = gzipped(long_text());
  for (const std::size_t length : {std::size_t{1}, std::size_t{9}, packed.size() / 2, packed.size() - 1}) {
    const std::string cut = packed.substr(0, length);
    EXPECT_TRUE(contains(usage_error_of([&] { (void)all_of(cut); }), "is truncated")) << length;
  }
  // The last place is in the CRC-32.
  for (const std::size_t place : {std::size_t{0}, packed.size() / 2, packed.size() - 8}) {
    std::string changed = packed;
    changed[place] = static_cast<char>(changed[place] ^ 0x40);
    EXPECT_TRUE(contains(usage_error_of([&] { (void)all_of(changed); }), "f.gz: is ")) << place;
  }
  EXPECT_TRUE(contains(usage_error_of([] { (void)all_of("plain text"); }), "is not gzip or is corrupt"));
  EXPECT_TRUE(contains(usage_error_of([] { (void)all_of(gzipped("sound") + "rubbish"); }), "is not gzip"));
}

TEST(GzipReader, TakesOnlyWhatIsThere) {
  const std::string packed = gzipped("little");
  GzipReader reader("f.gz", bytes_of(packed));
  EXPECT_TRUE(contains(usage_error_of([&] { (void)reader.take(std::uint64_t{1} << 62U); }), "is truncated"));
}

}  // namespace
}  // namespace mpsbench::dataset
