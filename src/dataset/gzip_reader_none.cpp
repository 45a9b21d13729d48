#include "base/error.hpp"
#include "dataset/gzip_reader.hpp"

#include <string>
#include <utility>

namespace mpsbench::dataset {

struct GzipReader::Stream {};

GzipReader::GzipReader(std::filesystem::path path, std::span<const std::uint8_t> /*packed*/)
    : path_(std::move(path)) {
  const std::string file = path_.string();
  const std::string command = file.ends_with(".tar.gz")
                                  ? "tar -xzf " + file + " -C " + path_.parent_path().string()
                                  : "gunzip " + file;
  throw base::usage_error(file + ": this mpsbench was built without zlib; unpack it first: " + command);
}

GzipReader::~GzipReader() = default;

std::size_t GzipReader::read(std::span<std::uint8_t> /*out*/) {
  return 0;  // never called, because no reader can be constructed
}

}  // namespace mpsbench::dataset
