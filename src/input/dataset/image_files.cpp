#include "input/dataset/image_files.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>

namespace mpsbench::dataset {

ImageSet::ImageSet(ImageShape shape, std::vector<ImagePart> parts, std::vector<std::filesystem::path> files)
    : shape_(shape), parts_(std::move(parts)), files_(std::move(files)), first_rows_{0} {
  for (const ImagePart& part : parts_) first_rows_.push_back(first_rows_.back() + part.rows);
}

ImageSet::RowPlace ImageSet::place_of(std::int64_t row) const {
  if (row < 0 || row >= rows()) throw std::out_of_range("no row " + std::to_string(row) + " in this data set");
  const auto after = std::upper_bound(first_rows_.begin(), first_rows_.end(), row);
  const auto part = static_cast<std::size_t>(after - first_rows_.begin()) - 1;
  return {parts_[part], static_cast<std::size_t>(row - first_rows_[part])};
}

std::span<const std::uint8_t> ImageSet::image(std::int64_t row) const {
  const RowPlace place = place_of(row);
  const auto bytes = static_cast<std::size_t>(shape_.channels * shape_.height * shape_.width);
  return place.part.images.view.subspan(place.index * place.part.image_stride, bytes);
}

std::int64_t ImageSet::label(std::int64_t row) const {
  const RowPlace place = place_of(row);
  return place.part.labels.view[place.index * place.part.label_stride];
}

namespace {

// The magic number consists of two zero bytes, the type and the number of dimensions.
constexpr std::uint32_t kUnsignedBytes = 0x0800;
constexpr std::size_t kSizeBytes = 4;  // bytes of the magic number and of each size

std::uint32_t big_endian(std::span<const std::uint8_t> bytes) {
  std::uint32_t value = 0;
  for (const std::uint8_t byte : bytes.first(kSizeBytes)) value = (value << 8U) | byte;
  return value;
}

void check_magic(const std::filesystem::path& file, std::uint32_t magic, std::size_t dimensions) {
  if (magic == kUnsignedBytes + dimensions) return;
  if (magic == kUnsignedBytes + 1 || magic == kUnsignedBytes + 3) {
    const char* swapped = dimensions == 3 ? "contains labels, not images" : "contains images, not labels";
    throw damaged(file, std::string(swapped) + "; were the two files swapped?");
  }
  throw damaged(file, "is not an idx file of bytes with " + std::to_string(dimensions) +
                          " dimensions: it begins with " + std::to_string(magic) + ", not " +
                          std::to_string(kUnsignedBytes + dimensions));
}

// Reads the sizes and returns their product. BYTES begins after the magic number.
std::uint64_t read_sizes(const std::filesystem::path& file, std::span<const std::uint8_t> bytes,
                         std::vector<std::int64_t>& sizes) {
  std::uint64_t values = 1;
  for (; !bytes.empty(); bytes = bytes.subspan(kSizeBytes)) {
    const std::uint32_t size = big_endian(bytes);
    if (size == 0) throw damaged(file, "has a size of 0 in its header");
    if (values > std::numeric_limits<std::uint64_t>::max() / size) {
      throw damaged(file, "has sizes in its header whose product is too large");
    }
    values *= size;
    sizes.push_back(size);
  }
  return values;
}

std::string promise(std::uint64_t values, std::uint64_t found) {
  return "its header claims " + std::to_string(values) + " values, but the file has " + std::to_string(found);
}

using schema::DataPart;

constexpr std::size_t kImageBytes = 3072;              // 3 x 32 x 32
constexpr std::size_t kRecordBytes = 1 + kImageBytes;  // the label comes first
constexpr std::uint64_t kPublishedBytes = 10'000 * kRecordBytes;
constexpr std::int64_t kClasses = row_of(schema::Dataset::cifar10).classes;
constexpr const char* kFolder = "cifar-10-batches-bin";
constexpr const char* kArchive = "cifar-10-binary.tar.gz";

struct BatchFile {
  std::filesystem::path file;
  SharedBytes bytes;
};

std::vector<std::string> file_names(DataPart part) {
  if (part == DataPart::test) return {"test_batch.bin"};
  return {"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin", "data_batch_4.bin", "data_batch_5.bin"};
}

base::Error bad_label(const std::filesystem::path& file, std::uint8_t label, std::size_t row) {
  return damaged(file, "label " + std::to_string(label) + " in row " + std::to_string(row) + " (from 0) is not 0 to 9");
}

void check_records(const BatchFile& batch) {
  const auto bytes = batch.bytes.view;
  if (bytes.empty() || bytes.size() % kRecordBytes != 0) {
    throw damaged(batch.file, "has " + std::to_string(bytes.size()) +
                                  " bytes, which is not a multiple of the record size of " +
                                  std::to_string(kRecordBytes) + " bytes; is it truncated?");
  }
  for (std::size_t at = 0; at < bytes.size(); at += kRecordBytes) {
    if (bytes[at] >= kClasses) throw bad_label(batch.file, bytes[at], at / kRecordBytes);
  }
}

// Returns an empty list if FOLDER has none of the files.
std::vector<BatchFile> read_files(const std::filesystem::path& folder, const std::vector<std::string>& names) {
  std::vector<BatchFile> batches;
  std::vector<std::string> absent;
  for (const std::string& name : names) {
    const std::optional<std::filesystem::path> file = find_file(folder, {name});
    if (file) {
      batches.push_back({*file, open_verified(*file)});
      check_records(batches.back());
    } else {
      absent.push_back(name);
    }
  }
  if (!batches.empty() && !absent.empty()) {
    refuse_packed(folder, absent);
    throw damaged(folder / absent.front(), "is missing, but other files of this data set are there");
  }
  return batches;
}

base::Error cut_short(const BatchFile& batch, std::uint64_t whole_bytes) {
  return damaged(batch.file, "is truncated: it has " + std::to_string(batch.bytes.view.size() / kRecordBytes) +
                                 " rows, not " + std::to_string(whole_bytes / kRecordBytes) +
                                 " like the other files of this data set");
}

// The format has no header, so a file that was cut between two records can be detected only by comparing it
// with the others. If rows are spread evenly over five files, their numbers differ by less than five.
void check_shares(const std::vector<BatchFile>& batches) {
  const auto smaller = [](const BatchFile& a, const BatchFile& b) { return a.bytes.view.size() < b.bytes.view.size(); };
  const auto [least, most] = std::minmax_element(batches.begin(), batches.end(), smaller);
  const std::uint64_t most_bytes = most->bytes.view.size();
  if (most_bytes - least->bytes.view.size() >= batches.size() * kRecordBytes) throw cut_short(*least, most_bytes);
}

// If the training files have their original size, the test file must have it too. This is not checked if
// there is a SHA256SUMS file, as fixtures have.
void check_beside_originals(const std::filesystem::path& folder, const BatchFile& test) {
  std::error_code ignored;
  if (test.bytes.view.size() >= kPublishedBytes || std::filesystem::exists(folder / "SHA256SUMS", ignored)) return;
  const std::optional<std::filesystem::path> training = find_file(folder, {"data_batch_1.bin"});
  if (training && open_verified(*training).view.size() == kPublishedBytes) throw cut_short(test, kPublishedBytes);
}

ImageSet make_set(const std::vector<BatchFile>& batches) {
  std::vector<ImagePart> parts;
  std::vector<std::filesystem::path> files;
  for (const BatchFile& batch : batches) {
    files.push_back(batch.file);
    parts.push_back({static_cast<std::int64_t>(batch.bytes.view.size() / kRecordBytes), batch.bytes.from(1),
                     kRecordBytes, batch.bytes, kRecordBytes});
  }
  check_shares(batches);
  return {{3, 32, 32}, std::move(parts), std::move(files)};
}

using schema::Dataset;

constexpr std::int64_t kSide = 28;
constexpr std::int64_t kLabels = row_of(Dataset::mnist).classes;

// Returns both names of the file of KIND.
std::vector<std::string> idx_names(const std::string& stem, const std::string& kind) {
  const std::string start = stem + "-" + kind;
  const std::string ending = kind == "images" ? "idx3-ubyte" : "idx1-ubyte";
  return {start + "-" + ending, start + "." + ending};
}

void check_labels(const std::filesystem::path& file, std::span<const std::uint8_t> labels) {
  const auto wrong = std::find_if(labels.begin(), labels.end(), [](std::uint8_t label) { return label >= kLabels; });
  if (wrong != labels.end()) throw bad_label(file, *wrong, static_cast<std::size_t>(wrong - labels.begin()));
}

constexpr std::int64_t kLargestUncropped = 64;

std::string to_string(const ImageShape& shape) {
  return std::to_string(shape.channels) + "x" + std::to_string(shape.height) + "x" + std::to_string(shape.width);
}

}  // namespace

IdxData read_idx(const std::filesystem::path& file, std::size_t dimensions) {
  const SharedBytes bytes = open_verified(file);
  const std::size_t header_bytes = (1 + dimensions) * kSizeBytes;
  IdxData data;
  if (bytes.view.size() >= kSizeBytes) check_magic(file, big_endian(bytes.view), dimensions);
  if (bytes.view.size() < header_bytes) throw damaged(file, "is truncated: it ends inside its header");
  const auto sizes = bytes.view.subspan(kSizeBytes, dimensions * kSizeBytes);
  const std::uint64_t values = read_sizes(file, sizes, data.sizes);
  data.values = bytes.from(header_bytes);
  const std::uint64_t found = data.values.view.size();
  if (found < values) throw damaged(file, "is truncated: " + promise(values, found));
  if (found > values) throw damaged(file, "is too long: " + promise(values, found));
  return data;
}

ImageSet open_cifar10(const std::filesystem::path& folder, DataPart part) {
  require_folder(folder, schema::Dataset::cifar10);
  const std::vector<std::string> names = file_names(part);
  const std::array places{folder / kFolder, folder};
  for (const std::filesystem::path& place : places) {
    const std::vector<BatchFile> batches = read_files(place, names);
    if (batches.empty()) continue;
    if (part == DataPart::test) check_beside_originals(place, batches.front());
    return make_set(batches);
  }
  for (const std::filesystem::path& place : places) refuse_packed(place, names);
  std::error_code ignored;
  if (std::filesystem::exists(folder / kArchive, ignored)) throw packed(folder / kArchive);
  const bool python = std::filesystem::exists(folder / "cifar-10-batches-py", ignored);
  throw missing(folder,
                "no " + names.front() + " here" +
                    (python ? " (cifar-10-batches-py is the Python version, which has another format)" : ""),
                schema::Dataset::cifar10);
}

ImageSet open_mnist(const std::filesystem::path& folder, schema::DataPart part) {
  require_folder(folder, Dataset::mnist);
  const std::string stem = part == schema::DataPart::test ? "t10k" : "train";
  const std::vector<std::string> image_names = idx_names(stem, "images");
  const std::vector<std::string> label_names = idx_names(stem, "labels");
  const std::array places{folder, folder / "MNIST" / "raw"};
  for (const std::filesystem::path& place : places) {
    const auto image_file = find_file(place, image_names);
    const auto label_file = find_file(place, label_names);
    if (!image_file && !label_file) continue;
    if (!image_file || !label_file) {
      const std::vector<std::string>& absent = image_file ? label_names : image_names;
      refuse_packed(place, absent);
      const std::string present = (image_file ? image_file : label_file).value().filename().string();
      throw missing(place, present + " is here, but " + absent.front() + " is not", Dataset::mnist);
    }
    const IdxData images = read_idx(image_file.value(), 3);
    const IdxData labels = read_idx(label_file.value(), 1);
    if (images.sizes[1] != kSide || images.sizes[2] != kSide) {
      throw damaged(*image_file, "has images of " + std::to_string(images.sizes[1]) + " x " +
                                     std::to_string(images.sizes[2]) + ", not 28 x 28");
    }
    if (images.sizes[0] != labels.sizes[0]) {
      throw damaged(*label_file, "has " + std::to_string(labels.sizes[0]) + " labels for the " +
                                     std::to_string(images.sizes[0]) + " images of " + image_file->filename().string());
    }
    check_labels(*label_file, labels.values.view);
    return {{1, kSide, kSide},
            {{images.sizes[0], images.values, kSide * kSide, labels.values, 1}},
            {*image_file, *label_file}};
  }
  for (const std::filesystem::path& place : places) {
    refuse_packed(place, image_names);
    refuse_packed(place, label_names);
  }
  throw missing(folder, "no " + image_names.front() + " here", Dataset::mnist);
}

ImageFit fit_images(const ImageShape& have, const ImageShape& wanted) {
  if (have.channels != wanted.channels || wanted.height != wanted.width) {
    throw base::usage_error("its images of " + to_string(have) + " cannot become the network's inputs of " +
                            to_string(wanted));
  }
  const std::int64_t size = wanted.height;
  if (have.height == size && have.width == size) return {};
  if (size <= kLargestUncropped) return {size, std::nullopt};
  return {size * 8 / 7, size};
}

ImageSet open_images(schema::Dataset dataset, const std::filesystem::path& folder, schema::DataPart part) {
  switch (dataset) {
    case schema::Dataset::cifar10:
      return open_cifar10(folder, part);
    case schema::Dataset::mnist:
      return open_mnist(folder, part);
    case schema::Dataset::synthetic:
    case schema::Dataset::trec:
      break;
  }
  throw base::Error(base::ErrorKind::internal, "the rows of " + to_string(dataset) + " are not images");
}

}  // namespace mpsbench::dataset
