// Makes gzipped bytes, for the tests that need zlib.
#pragma once

#include <zlib.h>

#include <stdexcept>
#include <string>

namespace mpsbench::tests {

inline std::string gzipped(const std::string& text, int level = 6) {
  z_stream zlib{};
  if (::deflateInit2(&zlib, level, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK) {
    throw std::runtime_error("deflateInit2");
  }
  std::string packed(::deflateBound(&zlib, text.size()), '\0');
  std::string input = text;
  zlib.next_in = reinterpret_cast<Bytef*>(input.data());
  zlib.avail_in = static_cast<uInt>(input.size());
  zlib.next_out = reinterpret_cast<Bytef*>(packed.data());
  zlib.avail_out = static_cast<uInt>(packed.size());
  const int status = ::deflate(&zlib, Z_FINISH);
  packed.resize(zlib.total_out);
  ::deflateEnd(&zlib);
  if (status != Z_STREAM_END) throw std::runtime_error("deflate");
  return packed;
}

}  // namespace mpsbench::tests
