#include "dataset/tar.hpp"

#include "dataset/gzipped.hpp"
#include "dataset/support.hpp"

namespace mpsbench::dataset {
namespace {

using tests::bytes_of;
using tests::contains;
using tests::gzipped;
using tests::tar_of;
using tests::text_of;
using tests::usage_error_of;

using Members = std::map<std::string, std::vector<std::uint8_t>>;

Members read(const std::string& archive, const std::vector<std::string>& wanted) {
  const std::string packed = gzipped(archive);
  GzipReader reader("a.tar.gz", bytes_of(packed));
  return read_tar("a.tar.gz", reader, wanted);
}

std::string tar_refusal(const std::string& archive) {
  return usage_error_of([&] { (void)read(archive, {"a", "b"}); });
}

TEST(Tar, FindsTheFilesThatAreWanted) {
  const std::string archive = tar_of({{"top/", "", '5'},
                                      {"top/a", "first"},
                                      {"top/other", std::string(5000, 'x')},
                                      {"b", std::string(512, 'b')},
                                      {"top/c", "a link", '2'},
                                      {"top/empty", ""}});
  const Members found = read(archive, {"a", "b", "c", "empty", "absent"});
  ASSERT_EQ(found.size(), 3U);
  EXPECT_EQ(text_of(found.at("a")), "first");
  EXPECT_EQ(text_of(found.at("b")), std::string(512, 'b'));
  EXPECT_TRUE(found.at("empty").empty());
}

TEST(Tar, RefusesWhatIsNoArchive) {
  EXPECT_TRUE(contains(tar_refusal(std::string(2000, 'x')), "a.tar.gz: is not a tar archive or is corrupt"));
  EXPECT_TRUE(contains(tar_refusal("short"), "is truncated: the end of the tar archive is missing"));
  const std::string archive = tar_of({{"a", "first"}});
  std::string changed = archive;
  changed[0] = 'b';
  EXPECT_TRUE(contains(tar_refusal(changed), "is not a tar archive or is corrupt"));
  EXPECT_TRUE(contains(tar_refusal(archive.substr(0, 514)), "is truncated"));
  EXPECT_TRUE(
      contains(tar_refusal(archive.substr(0, 1024)), "is truncated: the end of the tar archive is missing"));
  EXPECT_TRUE(contains(tar_refusal(tar_of({{"a", "first"}, {"x/a", "again"}})), "contains a twice"));
}

TEST(Tar, NeverBelievesASize) {
  EXPECT_TRUE(
      contains(tar_refusal(tar_of({{"a", "first"}}, "77777777777")), "contains files of more than 256 MiB"));
  EXPECT_TRUE(contains(tar_refusal(tar_of({{"a", "first"}}, "00777777777")), "is truncated"));
  EXPECT_TRUE(contains(tar_refusal(tar_of({{"other", "first"}}, "77777777777")), "is truncated"));
  EXPECT_TRUE(contains(tar_refusal(tar_of({{"a", "first"}}, "-0000000005")), "is not a tar archive"));
  EXPECT_TRUE(contains(tar_refusal(tar_of({{"a", "first"}}, std::string(11, ' '))), "is not a tar archive"));
}

}  // namespace
}  // namespace mpsbench::dataset
