// Unpacks gzip data from memory piece by piece, so that the unpacked size need not be known in advance.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

namespace mpsbench::dataset {

// A gzipped file may unpack to at most this size, more than twice that of the largest published file. This
// stops decompression bombs.
constexpr std::uint64_t kMostUnpackedBytes = 128U << 20U;
// Deflate can unpack one byte to at most this many.
constexpr std::uint64_t kMostUnpackedPerByte = 1032;

class GzipReader {
 public:
  // PACKED must outlive the reader; errors name PATH. All members throw Error(usage) if the data is not gzip,
  // is corrupt (zlib checks its CRC-32) or ends too early. The constructor throws it if the program was built
  // without zlib.
  GzipReader(std::filesystem::path path, std::span<const std::uint8_t> packed);
  ~GzipReader();
  GzipReader(const GzipReader&) = delete;
  GzipReader& operator=(const GzipReader&) = delete;

  // Fills OUT, and returns the number of bytes. It is less than the size of OUT only at the end of the data.
  std::size_t read(std::span<std::uint8_t> out);
  // Returns exactly COUNT bytes. Memory grows with the data that is really there, so a size that a file
  // merely claims costs no memory.
  std::vector<std::uint8_t> take(std::uint64_t count);
  // Returns the rest of the data. Throws if that is more than kMostUnpackedBytes.
  std::vector<std::uint8_t> take_rest();
  void skip(std::uint64_t count);
  // Throws if data is left. zlib checks the CRC-32 only when the end is reached.
  void expect_end();

 private:
  struct Stream;

  std::vector<std::uint8_t> take_at_most(std::uint64_t count);

  std::filesystem::path path_;
  std::span<const std::uint8_t> packed_;  // not yet passed to zlib
  std::unique_ptr<Stream> stream_;
  bool at_end_ = false;
};

}  // namespace mpsbench::dataset
