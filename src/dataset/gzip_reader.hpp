// Unpacks gzip from memory, piece by piece, so that nobody needs to know the unpacked size beforehand.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

namespace mpsbench::dataset {

// The most that a gzipped file may unpack to, more than twice the largest published one: a bomb ends here.
constexpr std::uint64_t kMostUnpackedBytes = 128U << 20U;
// Deflate makes at most so many bytes of one.
constexpr std::uint64_t kMostUnpackedPerByte = 1032;

class GzipReader {
 public:
  // PACKED must outlive the reader; PATH is what errors name. All members throw Error(usage) where the data
  // is not gzip, is corrupt (zlib checks its CRC-32) or ends early; the first does where zlib was not there
  // to build with.
  GzipReader(std::filesystem::path path, std::span<const std::uint8_t> packed);
  ~GzipReader();
  GzipReader(const GzipReader&) = delete;
  GzipReader& operator=(const GzipReader&) = delete;

  // Fills OUT; less only where the data ends. Returns the number of bytes.
  std::size_t read(std::span<std::uint8_t> out);
  // Exactly COUNT bytes. Memory grows with what is really there, so a size that a file only claims costs
  // none.
  std::vector<std::uint8_t> take(std::uint64_t count);
  // Everything that is left; throws where that is more than kMostUnpackedBytes.
  std::vector<std::uint8_t> take_rest();
  void skip(std::uint64_t count);
  // Throws where anything is left; reaching the end is what checks the CRC-32.
  void expect_end();

 private:
  struct Stream;

  std::vector<std::uint8_t> take_at_most(std::uint64_t count);

  std::filesystem::path path_;
  std::span<const std::uint8_t> packed_;  // not yet handed to zlib
  std::unique_ptr<Stream> stream_;
  bool at_end_ = false;
};

}  // namespace mpsbench::dataset
