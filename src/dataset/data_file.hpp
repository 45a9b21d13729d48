// Files of a data folder: found by their names, their checksums verified.
#pragma once

#include "base/error.hpp"
#include "dataset/shared_bytes.hpp"
#include "schema/data_source.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::dataset {

// "FILE: PROBLEM" with the cure.
[[nodiscard]] base::Error damaged(const std::filesystem::path& file, const std::string& problem);

// "FOLDER: PROBLEM" with how to get the files of DATASET.
[[nodiscard]] base::Error missing(const std::filesystem::path& folder, const std::string& problem,
                                  schema::Dataset dataset);

// Throws Error(usage) where FOLDER is none.
void require_folder(const std::filesystem::path& folder, schema::Dataset dataset);

// The first of NAMES that FOLDER has, each plain or, failing that, with ".gz".
[[nodiscard]] std::optional<std::filesystem::path> find_file(const std::filesystem::path& folder,
                                                             const std::vector<std::string>& names);

// The file's bytes as they lie there. Where SHA256SUMS beside it has a line for it, the file must have that
// checksum; else, where it has the name and the size of a published file, the published one.
[[nodiscard]] SharedBytes open_verified(const std::filesystem::path& file);

// The same, unpacked where its name ends with ".gz".
[[nodiscard]] SharedBytes open_unpacked(const std::filesystem::path& file);

// SHA-256 of the file as it lies there.
[[nodiscard]] std::string file_sha256(const std::filesystem::path& file);

[[nodiscard]] bool is_gzipped(const std::filesystem::path& file);

}  // namespace mpsbench::dataset
