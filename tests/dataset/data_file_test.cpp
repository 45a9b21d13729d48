#include "dataset/data_file.hpp"

#include "base/sha256.hpp"
#include "dataset/gzipped.hpp"
#include "dataset/support.hpp"

namespace mpsbench::dataset {
namespace {

using tests::contains;
using tests::gzipped;
using tests::Scratch;
using tests::text_of;
using tests::usage_error_of;

constexpr std::size_t kPublishedLabels = 4'542;  // bytes of t10k-labels-idx1-ubyte.gz

TEST(DataFile, FindsPlainBeforeGzippedInTheOrderOfNames) {
  const Scratch scratch;
  EXPECT_EQ(find_file(scratch.root(), {"x", "y"}), std::nullopt);
  scratch.write("x.gz", "1");
  EXPECT_EQ(find_file(scratch.root(), {"x", "y"}), scratch / "x.gz");
  scratch.write("y", "2");
  EXPECT_EQ(find_file(scratch.root(), {"x", "y"}), scratch / "y");
  scratch.write("x", "3");
  EXPECT_EQ(find_file(scratch.root(), {"x", "y"}), scratch / "x");
}

TEST(DataFile, UnpacksByItsName) {
  const Scratch scratch;
  EXPECT_EQ(text_of(open_unpacked(scratch.write("x.gz", gzipped("text"))).view), "text");
  EXPECT_EQ(text_of(open_unpacked(scratch.write("x", gzipped("text"))).view), gzipped("text"));
}

TEST(DataFile, IsHeldAgainstTheListBesideIt) {
  const Scratch scratch;
  const std::filesystem::path file = scratch.write("x", "text");
  scratch.write("SHA256SUMS", std::string(64, '0') + "  other\n" + base::sha256_hex("text") + " *./x\n");
  EXPECT_EQ(text_of(open_verified(file).view), "text");
  scratch.write("x", "tExt");
  const std::string refusal = usage_error_of([&] { (void)open_verified(file); });
  EXPECT_TRUE(contains(refusal, "x: is damaged: its SHA-256 is " + base::sha256_hex("tExt"))) << refusal;
  EXPECT_TRUE(contains(refusal, "that of SHA256SUMS is " + base::sha256_hex("text"))) << refusal;
  EXPECT_EQ(text_of(open_verified(scratch.write("unlisted", "text")).view), "text");
}

TEST(DataFile, RefusesAListThatIsNone) {
  const Scratch scratch;
  const std::filesystem::path file = scratch.write("x", "text");
  const std::string digest = base::sha256_hex("text");
  for (const std::string& list : {"x " + digest, digest, digest + "  ", digest.substr(1) + "   x",
                                  digest + "\tx", std::string("G") + digest}) {
    scratch.write("SHA256SUMS", "\n" + list);
    EXPECT_TRUE(contains(usage_error_of([&] { (void)open_verified(file); }), "SHA256SUMS: line 1 is not"))
        << list;
  }
  scratch.write("SHA256SUMS", "");
  EXPECT_TRUE(contains(usage_error_of([&] { (void)open_verified(file); }), "SHA256SUMS: is empty"));
}

TEST(DataFile, IsHeldAgainstThePublishedOneOfItsSize) {
  const Scratch scratch;
  const std::string name = "t10k-labels-idx1-ubyte.gz";
  const std::filesystem::path file = scratch.write(name, std::string(kPublishedLabels, 'x'));
  EXPECT_TRUE(contains(
      usage_error_of([&] { (void)open_verified(file); }),
      "but that of the published file is f7ae60f92e00ec6debd23a6088c31dbd2371eca3ffa0defaefb259924204aec6"));
  scratch.write("SHA256SUMS", base::sha256_hex(std::string(kPublishedLabels, 'x')) + "  " + name + "\n");
  EXPECT_EQ(open_verified(file).view.size(), kPublishedLabels)
      << "SHA256SUMS has precedence over the published checksum";
  const std::filesystem::path smaller =
      scratch.write("other/" + name, std::string(kPublishedLabels - 1, 'x'));
  EXPECT_EQ(open_verified(smaller).view.size(), kPublishedLabels - 1);
}

TEST(DataFile, SaysHowToGetADataSet) {
  const Scratch scratch;
  const auto refusal = [](const std::filesystem::path& folder) {
    return usage_error_of([&] { require_folder(folder, schema::Dataset::trec); });
  };
  EXPECT_NO_THROW(require_folder(scratch.root(), schema::Dataset::trec));
  const std::string place = (scratch / "none").string();
  EXPECT_EQ(
      refusal(place),
      place + ": no such folder; 'scripts/fetch_data trec --data-dir " + place +
          "' downloads train_5500.label, TREC_10.label (without a network, it prints their addresses); or "
          "use --dataset synthetic, which needs no files");
  EXPECT_TRUE(contains(refusal(scratch.write("file", "x")), "give --data-dir the folder that contains it"));
  EXPECT_TRUE(contains(missing(scratch.root(), "no x here", schema::Dataset::cifar10).what(),
                       ": no x here; 'scripts/fetch_data cifar10 --data-dir "));
}

}  // namespace
}  // namespace mpsbench::dataset
