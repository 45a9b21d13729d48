#include "dataset/idx.hpp"

#include "dataset/data_file.hpp"
#include "dataset/gzip_reader.hpp"

#include <limits>
#include <span>

namespace mpsbench::dataset {
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

}  // namespace

IdxData read_idx(const std::filesystem::path& file, std::size_t dimensions) {
  const SharedBytes bytes = open_verified(file);
  const std::size_t header_bytes = (1 + dimensions) * kSizeBytes;
  IdxData data;
  if (is_gzipped(file)) {
    GzipReader reader(file, bytes.view);
    check_magic(file, big_endian(reader.take(kSizeBytes)), dimensions);
    const std::uint64_t values = read_sizes(file, reader.take(dimensions * kSizeBytes), data.sizes);
    if (values > kMostUnpackedBytes || values / kMostUnpackedPerByte > bytes.view.size()) {
      throw damaged(file, "is corrupt: its header claims " + std::to_string(values) +
                              " values, more than its " + std::to_string(bytes.view.size()) +
                              " gzipped bytes can unpack to");
    }
    data.values = share(reader.take(values));
    reader.expect_end();
    return data;
  }
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

}  // namespace mpsbench::dataset
