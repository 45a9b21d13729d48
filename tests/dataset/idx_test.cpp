#include "dataset/idx.hpp"

#include "dataset/gzipped.hpp"
#include "dataset/support.hpp"

namespace mpsbench::dataset {
namespace {

using tests::big_endian;
using tests::contains;
using tests::gzipped;
using tests::idx;
using tests::text_of;
using tests::usage_error_of;

IdxData read(const std::string& name, const std::string& bytes, std::size_t dimensions) {
  const tests::Scratch scratch;
  return read_idx(scratch.write(name, bytes), dimensions);
}

// Returns the error for BYTES. Checks that it is the same for a plain and for a gzipped file.
std::string refusal(const std::string& bytes, std::size_t dimensions) {
  const std::string plain = usage_error_of([&] { (void)read("f", bytes, dimensions); });
  const std::string packed = usage_error_of([&] { (void)read("f.gz", gzipped(bytes), dimensions); });
  EXPECT_TRUE(contains(packed, "f.gz: ")) << packed;
  return plain;
}

TEST(Idx, ReadsWhatItsHeaderPromises) {
  const std::string bytes = idx({2, 3, 1}, "abcdef");
  for (const auto& [name, content] : {std::pair{"f", bytes}, std::pair{"f.gz", gzipped(bytes)}}) {
    const IdxData data = read(name, content, 3);
    EXPECT_EQ(data.sizes, (std::vector<std::int64_t>{2, 3, 1}));
    EXPECT_EQ(text_of(data.values.view), "abcdef");
  }
  EXPECT_EQ(read("f", idx({4}, "abcd"), 1).sizes, std::vector<std::int64_t>{4});
}

TEST(Idx, RefusesOtherFiles) {
  EXPECT_TRUE(contains(refusal(idx({4}, "abcd" + std::string(9, 'x')), 3), "contains labels, not images"));
  EXPECT_TRUE(contains(refusal(idx({2, 1, 1}, "ab"), 1), "contains images, not labels"));
  EXPECT_TRUE(contains(refusal(idx({1, 1}, "a"), 1), "it begins with 2050, not 2049"));
  EXPECT_TRUE(
      contains(refusal(big_endian(0x0D03) + std::string(12, '\1'), 3), "it begins with 3331, not 2051"));
  EXPECT_TRUE(contains(refusal("PNG and so on, of some length", 3), "is not an idx file of bytes"));
  EXPECT_TRUE(
      contains(usage_error_of([] { (void)read("f", gzipped(idx({4}, "abcd")), 1); }), "is not an idx file"));
}

TEST(Idx, RefusesAnotherLengthThanPromised) {
  const std::string whole = idx({2, 3, 1}, "abcdef");
  for (std::size_t length = 1; length < whole.size(); ++length) {
    EXPECT_TRUE(contains(refusal(whole.substr(0, length), 3), "is truncated")) << length;
  }
  EXPECT_TRUE(
      contains(refusal(whole + "g", 3), "is too long: its header claims 6 values, but the file has 7"));
  EXPECT_TRUE(contains(refusal(idx({0, 28, 28}, ""), 3), "has a size of 0"));
}

TEST(Idx, NeverBelievesASize) {
  constexpr std::uint32_t kMost = 0xffffffff;
  EXPECT_TRUE(contains(refusal(idx({1'000'000'000}, "a"), 1), "is truncated: its header claims 1000000000"));
  EXPECT_TRUE(contains(refusal(idx({kMost, kMost, 1}, "a"), 3),
                       "is truncated: its header claims 18446744065119617025"));
  EXPECT_TRUE(contains(refusal(idx({kMost, kMost, kMost}, "a"), 3), "whose product is too large"));
  // A header may claim at most as many bytes as deflate could unpack from so few.
  const std::string packed = gzipped(idx({1'000'000'000}, "a"));
  EXPECT_TRUE(contains(usage_error_of([&] { (void)read("f.gz", packed, 1); }),
                       "more than its " + std::to_string(packed.size()) + " gzipped bytes can unpack to"));
}

TEST(Idx, StopsABombAtItsPromise) {
  const std::string bomb = gzipped(idx({2, 3, 1}, std::string(1'000'000, '\0')));
  EXPECT_TRUE(contains(usage_error_of([&] { (void)read("f.gz", bomb, 3); }), "unpacks to more bytes"));
}

}  // namespace
}  // namespace mpsbench::dataset
