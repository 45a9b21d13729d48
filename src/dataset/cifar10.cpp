#include "dataset/cifar10.hpp"

#include "dataset/data_file.hpp"
#include "dataset/tar.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace mpsbench::dataset {
namespace {

using schema::DataPart;

constexpr std::size_t kImageBytes = 3072;              // 3 x 32 x 32
constexpr std::size_t kRecordBytes = 1 + kImageBytes;  // the label comes first
constexpr std::uint64_t kPublishedBytes = 10'000 * kRecordBytes;
constexpr std::int64_t kClasses = row_of(schema::Dataset::cifar10).classes;
constexpr const char* kFolder = "cifar-10-batches-bin";
constexpr const char* kArchive = "cifar-10-binary.tar.gz";

struct BatchFile {
  std::filesystem::path file;  // the path for error messages
  SharedBytes bytes;
};

std::vector<std::string> file_names(DataPart part) {
  if (part == DataPart::test) return {"test_batch.bin"};
  return {"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin", "data_batch_4.bin", "data_batch_5.bin"};
}

void check_records(const BatchFile& batch) {
  const auto bytes = batch.bytes.view;
  if (bytes.empty() || bytes.size() % kRecordBytes != 0) {
    throw damaged(batch.file, "has " + std::to_string(bytes.size()) +
                                  " bytes, which is not a multiple of the record size of " +
                                  std::to_string(kRecordBytes) + " bytes; is it truncated?");
  }
  for (std::size_t at = 0; at < bytes.size(); at += kRecordBytes) {
    if (bytes[at] >= kClasses) {
      throw damaged(batch.file, "label " + std::to_string(bytes[at]) + " in row " +
                                    std::to_string(at / kRecordBytes) + " (from 0) is not 0 to 9");
    }
  }
}

// Returns an empty list if FOLDER has none of the files.
std::vector<BatchFile> read_files(const std::filesystem::path& folder,
                                  const std::vector<std::string>& names) {
  std::vector<BatchFile> batches;
  std::vector<std::string> absent;
  for (const std::string& name : names) {
    const std::optional<std::filesystem::path> file = find_file(folder, {name});
    if (file) {
      batches.push_back({*file, open_unpacked(*file)});
      check_records(batches.back());  // before more files are unpacked
    } else {
      absent.push_back(name);
    }
  }
  if (!batches.empty() && !absent.empty()) {
    throw damaged(folder / absent.front(), "is missing, but other files of this data set are there");
  }
  return batches;
}

std::vector<BatchFile> read_archive(const std::filesystem::path& archive,
                                    const std::vector<std::string>& names) {
  const SharedBytes packed = open_verified(archive);
  GzipReader reader(archive, packed.view);
  auto members = read_tar(archive, reader, names);
  std::vector<BatchFile> batches;
  for (const std::string& name : names) {
    const auto member = members.find(name);
    if (member == members.end()) throw damaged(archive, "has no file " + name);
    batches.push_back({archive / name, share(std::move(member->second))});
    check_records(batches.back());
  }
  return batches;
}

base::Error cut_short(const BatchFile& batch, std::uint64_t whole_bytes) {
  return damaged(batch.file, "is truncated: it has " +
                                 std::to_string(batch.bytes.view.size() / kRecordBytes) + " rows, not " +
                                 std::to_string(whole_bytes / kRecordBytes) +
                                 " like the other files of this data set");
}

// The format has no header, so a file that was cut between two records can be detected only by comparing it
// with the others. If rows are spread evenly over five files, their numbers differ by less than five.
void check_shares(const std::vector<BatchFile>& batches) {
  const auto smaller = [](const BatchFile& a, const BatchFile& b) {
    return a.bytes.view.size() < b.bytes.view.size();
  };
  const auto [least, most] = std::minmax_element(batches.begin(), batches.end(), smaller);
  const std::uint64_t most_bytes = most->bytes.view.size();
  if (most_bytes - least->bytes.view.size() >= batches.size() * kRecordBytes)
    throw cut_short(*least, most_bytes);
}

// If the training files have their original size, the test file must have it too. This is not checked if
// there is a SHA256SUMS file, as fixtures have.
void check_beside_originals(const std::filesystem::path& folder, const BatchFile& test) {
  std::error_code ignored;
  if (test.bytes.view.size() >= kPublishedBytes || std::filesystem::exists(folder / "SHA256SUMS", ignored))
    return;
  const std::optional<std::filesystem::path> training = find_file(folder, {"data_batch_1.bin"});
  if (training && open_unpacked(*training).view.size() == kPublishedBytes)
    throw cut_short(test, kPublishedBytes);
}

ImageSet make_set(const std::vector<BatchFile>& batches, std::vector<std::filesystem::path> files) {
  std::vector<ImagePart> parts;
  for (const BatchFile& batch : batches) {
    parts.push_back({static_cast<std::int64_t>(batch.bytes.view.size() / kRecordBytes), batch.bytes.from(1),
                     kRecordBytes, batch.bytes, kRecordBytes});
  }
  check_shares(batches);
  return {{3, 32, 32}, kClasses, std::move(parts), std::move(files)};
}

}  // namespace

ImageSet open_cifar10(const std::filesystem::path& folder, DataPart part) {
  require_folder(folder, schema::Dataset::cifar10);
  const std::vector<std::string> names = file_names(part);
  for (const std::filesystem::path& place : {folder / kFolder, folder}) {
    const std::vector<BatchFile> batches = read_files(place, names);
    if (batches.empty()) continue;
    if (part == DataPart::test) check_beside_originals(place, batches.front());
    std::vector<std::filesystem::path> files;
    for (const BatchFile& batch : batches) files.push_back(batch.file);
    return make_set(batches, std::move(files));
  }
  std::error_code ignored;
  if (std::filesystem::exists(folder / kArchive, ignored)) {
    return make_set(read_archive(folder / kArchive, names), {folder / kArchive});
  }
  const bool python = std::filesystem::exists(folder / "cifar-10-batches-py", ignored);
  throw missing(folder,
                "no " + names.front() + " here" +
                    (python ? " (cifar-10-batches-py is the Python version, which has another format)" : ""),
                schema::Dataset::cifar10);
}

}  // namespace mpsbench::dataset
