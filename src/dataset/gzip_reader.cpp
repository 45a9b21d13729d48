#include "dataset/gzip_reader.hpp"

#include "base/units.hpp"
#include "dataset/data_file.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace mpsbench::dataset {
namespace {

constexpr std::size_t kFirstPiece = 1U << 16U;

}  // namespace

std::vector<std::uint8_t> GzipReader::take_at_most(std::uint64_t count) {
  std::vector<std::uint8_t> bytes;
  std::size_t done = 0;
  while (done == bytes.size() && done < count) {
    bytes.resize(std::min<std::uint64_t>(count, std::max(kFirstPiece, 2 * done)));
    done += read(std::span(bytes).subspan(done));
  }
  bytes.resize(done);
  return bytes;
}

std::vector<std::uint8_t> GzipReader::take(std::uint64_t count) {
  std::vector<std::uint8_t> bytes = take_at_most(count);
  if (bytes.size() < count) {
    throw damaged(path_, "is truncated: its unpacked data ends " + std::to_string(count - bytes.size()) +
                             " bytes too early");
  }
  return bytes;
}

std::vector<std::uint8_t> GzipReader::take_rest() {
  std::vector<std::uint8_t> bytes = take_at_most(kMostUnpackedBytes);
  if (std::uint8_t more = 0; read({&more, 1}) != 0) {
    throw base::usage_error(path_.string() + ": unpacks to more than " +
                            base::format_bytes(kMostUnpackedBytes) +
                            ", more than any file of a data set; if this is intended, unpack it first");
  }
  return bytes;
}

void GzipReader::skip(std::uint64_t count) {
  std::array<std::uint8_t, kFirstPiece> unused{};
  while (count > 0) {
    const std::uint64_t piece = std::min<std::uint64_t>(count, unused.size());
    if (read(std::span(unused).first(piece)) < piece) {
      throw damaged(path_, "is truncated: its unpacked data ends too early");
    }
    count -= piece;
  }
}

void GzipReader::expect_end() {
  std::uint8_t more = 0;
  if (read({&more, 1}) != 0) throw damaged(path_, "unpacks to more bytes than it should contain");
}

}  // namespace mpsbench::dataset
