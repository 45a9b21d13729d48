// Reads files out of a gzipped tar archive (POSIX ustar), into memory.
#pragma once

#include "dataset/gzip_reader.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace mpsbench::dataset {

// The regular files of the archive READER unpacks whose names, without folders, are among WANTED; those that
// the archive lacks are left out. Reads to the archive's end, so that its CRC-32 is checked. Throws
// Error(usage), which names PATH.
[[nodiscard]] std::map<std::string, std::vector<std::uint8_t>> read_tar(
    const std::filesystem::path& path, GzipReader& reader, const std::vector<std::string>& wanted);

}  // namespace mpsbench::dataset
