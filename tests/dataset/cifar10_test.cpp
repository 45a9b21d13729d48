#include "dataset/cifar10.hpp"

#include "base/sha256.hpp"
#include "dataset/gzipped.hpp"
#include "dataset/support.hpp"

namespace mpsbench::dataset {
namespace {

using schema::DataPart;
using tests::cifar_file;
using tests::contains;
using tests::gzipped;
using tests::Scratch;
using tests::usage_error_of;

constexpr const char* kArchive = "cifar-10-binary.tar.gz";

std::string batch_name(int number) {
  return "data_batch_" + std::to_string(number) + ".bin";
}

// Writes five training files of ROWS rows, whose labels continue from file to file, and a test file of 2
// rows.
void write_files(const Scratch& scratch, const std::string& folder, int rows, bool packed = false) {
  for (int file = 0; file < 5; ++file) {
    const std::string bytes = cifar_file(rows, file * rows);
    scratch.write(folder + batch_name(file + 1) + (packed ? ".gz" : ""), packed ? gzipped(bytes) : bytes);
  }
  scratch.write(folder + "test_batch.bin" + (packed ? ".gz" : ""),
                packed ? gzipped(cifar_file(2)) : cifar_file(2));
}

std::vector<tests::TarMember> members(int rows) {
  std::vector<tests::TarMember> all{{"cifar-10-batches-bin/", "", '5'},
                                    {"cifar-10-batches-bin/batches.meta.txt", "airplane\n"}};
  for (int file = 4; file >= 0; --file) {  // so that the order in the archive is not that of the rows
    all.push_back({"cifar-10-batches-bin/" + batch_name(file + 1), cifar_file(rows, file * rows)});
  }
  all.push_back({"cifar-10-batches-bin/test_batch.bin", cifar_file(2)});
  return all;
}

void expect_rows(const ImageSet& set, std::int64_t rows) {
  ASSERT_EQ(set.rows(), rows);
  EXPECT_EQ(set.channels(), 3);
  EXPECT_EQ(set.height(), 32);
  EXPECT_EQ(set.width(), 32);
  EXPECT_EQ(set.classes(), 10);
  for (std::int64_t row = 0; row < rows; ++row) {
    EXPECT_EQ(set.label(row), row % 10);
    EXPECT_EQ(set.image(row).size(), 3072U);
    EXPECT_EQ(set.image(row).front(), 100 + row % 10);
    EXPECT_EQ(set.image(row).back(), 100 + row % 10);
  }
}

std::string cifar10_refusal(const Scratch& scratch, DataPart part = DataPart::train) {
  return usage_error_of([&] { (void)open_cifar10(scratch.root(), part); });
}

TEST(Cifar10, ReadsEachFormOfItsFiles) {
  for (const char* folder : {"", "cifar-10-batches-bin/"}) {
    for (const bool packed : {false, true}) {
      const Scratch scratch;
      write_files(scratch, folder, 3, packed);
      expect_rows(open_cifar10(scratch.root(), DataPart::train), 15);
      expect_rows(open_cifar10(scratch.root(), DataPart::test), 2);
    }
  }
}

TEST(Cifar10, ReadsTheArchiveWhereThereIsNothingElse) {
  const Scratch scratch;
  scratch.write(kArchive, gzipped(tar_of(members(3))));
  expect_rows(open_cifar10(scratch.root(), DataPart::train), 15);
  expect_rows(open_cifar10(scratch.root(), DataPart::test), 2);
  write_files(scratch, "cifar-10-batches-bin/", 1);
  expect_rows(open_cifar10(scratch.root(), DataPart::train), 5);
}

TEST(Cifar10, RefusesAnArchiveWithOneByteFlipped) {
  const Scratch scratch;
  std::string archive = gzipped(tar_of(members(3)));
  scratch.write("SHA256SUMS", base::sha256_hex(archive) + "  " + kArchive + "\n");
  scratch.write(kArchive, archive);
  expect_rows(open_cifar10(scratch.root(), DataPart::train), 15);
  // A byte of gzip's time stamp, which no other check would notice.
  archive[4] = static_cast<char>(archive[4] ^ 1);
  scratch.write(kArchive, archive);
  EXPECT_TRUE(contains(cifar10_refusal(scratch), "cifar-10-binary.tar.gz: is damaged: its SHA-256 is "));
}

TEST(Cifar10, RefusesAnArchiveThatLacksAFile) {
  const Scratch scratch;
  std::vector<tests::TarMember> all = members(3);
  all.pop_back();
  scratch.write(kArchive, gzipped(tar_of(all)));
  EXPECT_TRUE(contains(cifar10_refusal(scratch, DataPart::test),
                       "cifar-10-binary.tar.gz: has no file test_batch.bin"));
}

TEST(Cifar10, RefusesFilesThatAreNoRecords) {
  const Scratch scratch;
  write_files(scratch, "", 3);
  scratch.write(batch_name(2), cifar_file(3).substr(1));
  EXPECT_TRUE(
      contains(cifar10_refusal(scratch),
               "data_batch_2.bin: has 9218 bytes, which is not a multiple of the record size of 3073"));
  std::string bytes = cifar_file(3);
  bytes[6146] = '\x0a';
  scratch.write(batch_name(2), bytes);
  EXPECT_TRUE(
      contains(cifar10_refusal(scratch), "data_batch_2.bin: label 10 in row 2 (from 0) is not 0 to 9"));
  std::filesystem::remove(scratch / batch_name(2));
  EXPECT_TRUE(contains(cifar10_refusal(scratch), "data_batch_2.bin: is missing, but other files"));
  scratch.write(batch_name(2), "");
  EXPECT_TRUE(contains(cifar10_refusal(scratch), "data_batch_2.bin: is empty"));
  std::filesystem::remove(scratch / batch_name(2));
  std::filesystem::create_directory(scratch / batch_name(2));
  EXPECT_TRUE(contains(cifar10_refusal(scratch), "data_batch_2.bin: is a folder, not a file"));
}

TEST(Cifar10, SeesATrainingFileThatWasCutBetweenTwoRecords) {
  const Scratch scratch;
  write_files(scratch, "", 6);
  scratch.write(batch_name(5), cifar_file(2, 24));  // 26 rows, spread as 6, 6, 6, 6 and 2
  expect_rows(open_cifar10(scratch.root(), DataPart::train), 26);
  scratch.write(batch_name(5), cifar_file(1));
  EXPECT_TRUE(contains(cifar10_refusal(scratch), "data_batch_5.bin: is truncated: it has 1 rows, not 6"));
}

TEST(Cifar10, SeesATestFileThatWasCutBetweenTwoRecords) {
  const Scratch scratch;
  write_files(scratch, "", 1);
  // A sparse file, so it needs no disk space.
  std::filesystem::resize_file(scratch / batch_name(1), 30'730'000);
  EXPECT_TRUE(contains(cifar10_refusal(scratch, DataPart::test),
                       "test_batch.bin: is truncated: it has 2 rows, not 10000"));
  scratch.write("SHA256SUMS", base::sha256_hex(cifar_file(2)) + "  test_batch.bin\n");
  expect_rows(open_cifar10(scratch.root(), DataPart::test), 2);
}

TEST(Cifar10, SaysWhatIsMissing) {
  const Scratch scratch;
  EXPECT_TRUE(contains(cifar10_refusal(scratch),
                       "no data_batch_1.bin here; 'scripts/fetch_data cifar10 --data-dir "));
  EXPECT_TRUE(contains(cifar10_refusal(scratch, DataPart::test),
                       "no test_batch.bin here; 'scripts/fetch_data cifar10"));
  scratch.write("cifar-10-batches-py/data_batch_1", "pickle");
  EXPECT_TRUE(contains(cifar10_refusal(scratch),
                       "here (cifar-10-batches-py is the Python version, which has another format);"));
}

}  // namespace
}  // namespace mpsbench::dataset
