#include "input/dataset/data_file.hpp"

#include "base/hex.hpp"
#include "input/dataset/support.hpp"

#include <sys/stat.h>

namespace mpsbench::dataset {

namespace {

using tests::contains;
using tests::text_of;
using tests::usage_error_of;

TEST(SharedBytes, OutliveTheirMaker) {
  const tests::Scratch scratch;
  SharedBytes rest;
  {
    const SharedBytes all = map_file(scratch.write("file", "abc"));
    EXPECT_EQ(all.view.size(), 3U);
    rest = all.from(1);
  }
  EXPECT_EQ(text_of(rest.view), "bc");
}

TEST(SharedBytes, MapAFileThatMayThenGo) {
  const tests::Scratch scratch;
  const SharedBytes mapped = map_file(scratch.write("file", "some bytes"));
  std::filesystem::remove(scratch / "file");
  EXPECT_EQ(text_of(mapped.view), "some bytes");
}

TEST(SharedBytes, RefuseWhatIsNoFile) {
  const tests::Scratch scratch;
  const auto refusal = [](const std::filesystem::path& path) { return usage_error_of([&] { (void)map_file(path); }); };
  EXPECT_TRUE(contains(refusal(scratch / "none"), "none: no such file"));
  EXPECT_TRUE(contains(refusal(scratch.root()), "is a folder, not a file"));
  EXPECT_TRUE(contains(refusal(scratch.write("empty", "")), "empty: is empty; download it again"));
  ASSERT_EQ(::mkfifo((scratch / "pipe").c_str(), 0600), 0);
  EXPECT_TRUE(contains(refusal(scratch / "pipe"), "is not a regular file"));
}

using tests::Scratch;

constexpr std::size_t kPublishedQuestions = 23'354;  // bytes of TREC_10.label

TEST(DataFile, IsFoundInTheOrderOfNames) {
  const Scratch scratch;
  scratch.write("x.gz", "1");
  EXPECT_EQ(find_file(scratch.root(), {"x", "y"}), std::nullopt);
  scratch.write("y", "2");
  EXPECT_EQ(find_file(scratch.root(), {"x", "y"}), scratch / "y");
  scratch.write("x", "3");
  EXPECT_EQ(find_file(scratch.root(), {"x", "y"}), scratch / "x");
}

TEST(DataFile, IsRefusedIfPacked) {
  const Scratch scratch;
  const std::string file = scratch.write("y.gz", "packed").string();
  EXPECT_NO_THROW(refuse_packed(scratch.root(), {"x"}));
  EXPECT_EQ(usage_error_of([&] { refuse_packed(scratch.root(), {"x", "y"}); }),
            file + ": is packed; unpack it with 'gunzip -k " + file + "'");
  EXPECT_EQ(packed("d/x.tar.gz").what(),
            std::string("d/x.tar.gz: is packed; unpack it with 'tar -xzf d/x.tar.gz -C d'"));
}

TEST(DataFile, IsHeldAgainstTheListBesideIt) {
  const Scratch scratch;
  const std::filesystem::path file = scratch.write("x", "text");
  scratch.write("SHA256SUMS", std::string(64, '0') + "  other\r\n" + base::sha256_hex("text") + " *./x\r\n");
  EXPECT_EQ(text_of(open_verified(file).view), "text") << "also of an editor on Windows";
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
  for (const std::string& list :
       {"x " + digest, digest, digest + "  ", digest.substr(1) + "   x", digest + "\tx", std::string("G") + digest}) {
    scratch.write("SHA256SUMS", "\n" + list);
    EXPECT_TRUE(contains(usage_error_of([&] { (void)open_verified(file); }), "SHA256SUMS: line 1 is not")) << list;
  }
  scratch.write("SHA256SUMS", "");
  EXPECT_TRUE(contains(usage_error_of([&] { (void)open_verified(file); }), "SHA256SUMS: is empty"));
}

TEST(DataFile, IsHeldAgainstThePublishedOneOfItsSize) {
  const Scratch scratch;
  const std::string name = "TREC_10.label";
  const std::filesystem::path file = scratch.write(name, std::string(kPublishedQuestions, 'x'));
  EXPECT_TRUE(
      contains(usage_error_of([&] { (void)open_verified(file); }),
               "but that of the published file is 033f22c028c2bbba9ca682f68ffe204dc1aa6e1cf35dd6207f2d4ca67f0d0e8e"));
  scratch.write("SHA256SUMS", base::sha256_hex(std::string(kPublishedQuestions, 'x')) + "  " + name + "\n");
  EXPECT_EQ(open_verified(file).view.size(), kPublishedQuestions)
      << "SHA256SUMS has precedence over the published checksum";
  const std::filesystem::path smaller = scratch.write("other/" + name, std::string(kPublishedQuestions - 1, 'x'));
  EXPECT_EQ(open_verified(smaller).view.size(), kPublishedQuestions - 1);
}

TEST(DataFile, SaysHowToGetADataSet) {
  const Scratch scratch;
  const auto refusal = [](const std::filesystem::path& folder) {
    return usage_error_of([&] { require_folder(folder, schema::Dataset::trec); });
  };
  EXPECT_NO_THROW(require_folder(scratch.root(), schema::Dataset::trec));
  const std::string place = (scratch / "none").string();
  EXPECT_EQ(refusal(place), place + ": no such folder; 'scripts/fetch_data trec --data-dir " + place +
                                "' downloads train_5500.label, TREC_10.label (without a network, it prints their "
                                "addresses); or use --dataset synthetic, which needs no files");
  EXPECT_TRUE(contains(refusal(scratch.write("file", "x")), "give --data-dir the folder that contains it"));
  EXPECT_TRUE(contains(missing(scratch.root(), "no x here", schema::Dataset::cifar10).what(),
                       ": no x here; 'scripts/fetch_data cifar10 --data-dir "));
}

}  // namespace

}  // namespace mpsbench::dataset
