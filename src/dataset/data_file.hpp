// Finds the files of a data folder by their names and verifies their checksums.
#pragma once

#include "base/error.hpp"
#include "dataset/shared_bytes.hpp"
#include "schema/data_source.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::dataset {

// Returns the error "FILE: PROBLEM", which also says what to do.
[[nodiscard]] base::Error damaged(const std::filesystem::path& file, const std::string& problem);

// Returns the error "FOLDER: PROBLEM" with a way to get the files of DATASET.
[[nodiscard]] base::Error missing(const std::filesystem::path& folder, const std::string& problem,
                                  schema::Dataset dataset);

// Throws Error(usage) if FOLDER is not a folder.
void require_folder(const std::filesystem::path& folder, schema::Dataset dataset);

// Returns the first of NAMES that FOLDER contains. For each name, the plain file comes first, then the one
// with ".gz".
[[nodiscard]] std::optional<std::filesystem::path> find_file(const std::filesystem::path& folder,
                                                             const std::vector<std::string>& names);

// Returns the bytes of FILE as stored. If SHA256SUMS in the same folder lists FILE, its checksum must match.
// Otherwise, if FILE has the name and size of a published file, it must have the published checksum.
[[nodiscard]] SharedBytes open_verified(const std::filesystem::path& file);

// Does the same, and unpacks the file if its name ends with ".gz".
[[nodiscard]] SharedBytes open_unpacked(const std::filesystem::path& file);

// Returns the SHA-256 of the file as stored.
[[nodiscard]] std::string file_sha256(const std::filesystem::path& file);

[[nodiscard]] bool is_gzipped(const std::filesystem::path& file);

}  // namespace mpsbench::dataset
