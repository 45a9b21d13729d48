#include "dataset/data_file.hpp"
#include "dataset/gzip_reader.hpp"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <new>
#include <string>
#include <utility>

namespace mpsbench::dataset {
namespace {

constexpr int kGzipOnly = 16 + MAX_WBITS;
constexpr std::size_t kMostToZlib = std::numeric_limits<uInt>::max();

}  // namespace

struct GzipReader::Stream {
  z_stream zlib{};

  Stream() {
    if (::inflateInit2(&zlib, kGzipOnly) != Z_OK) throw std::bad_alloc();
  }
  ~Stream() { ::inflateEnd(&zlib); }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
};

GzipReader::GzipReader(std::filesystem::path path, std::span<const std::uint8_t> packed)
    : path_(std::move(path)), packed_(packed), stream_(std::make_unique<Stream>()) {}

GzipReader::~GzipReader() = default;

std::size_t GzipReader::read(std::span<std::uint8_t> out) {
  z_stream& zlib = stream_->zlib;
  std::size_t done = 0;
  while (done < out.size() && !at_end_) {
    if (zlib.avail_in == 0) {
      const std::size_t piece = std::min(packed_.size(), kMostToZlib);
      zlib.next_in = const_cast<Bytef*>(packed_.data());  // zlib only reads from it
      zlib.avail_in = static_cast<uInt>(piece);
      packed_ = packed_.subspan(piece);
    }
    const std::size_t wanted = std::min(out.size() - done, kMostToZlib);
    zlib.next_out = out.data() + done;
    zlib.avail_out = static_cast<uInt>(wanted);
    const int status = ::inflate(&zlib, Z_NO_FLUSH);
    done += wanted - zlib.avail_out;
    if (status == Z_STREAM_END) {
      at_end_ = zlib.avail_in == 0 && packed_.empty();
      if (!at_end_) ::inflateReset(&zlib);  // a gzip file may consist of several members
    } else if (status == Z_BUF_ERROR) {
      throw damaged(path_, "is truncated: its gzip data ends too early");
    } else if (status != Z_OK) {
      throw damaged(path_, std::string("is not gzip or is corrupt (") +
                               (zlib.msg == nullptr ? "zlib gives no reason" : zlib.msg) + ")");
    }
  }
  return done;
}

}  // namespace mpsbench::dataset
