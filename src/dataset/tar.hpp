// Reads files from a gzipped tar archive (POSIX ustar) into memory.
#pragma once

#include "dataset/gzip_reader.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace mpsbench::dataset {

// Returns the regular files of READER's archive whose names, without folders, are in WANTED. Files that the
// archive lacks are left out of the result. Reads to the end of the archive, so that its CRC-32 is checked.
// Throws Error(usage) that names PATH.
[[nodiscard]] std::map<std::string, std::vector<std::uint8_t>> read_tar(
    const std::filesystem::path& path, GzipReader& reader, const std::vector<std::string>& wanted);

}  // namespace mpsbench::dataset
