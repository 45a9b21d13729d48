// The files of a data folder: found by name, verified by checksum, and mapped into memory.
#pragma once

#include "base/error.hpp"
#include "schema/data_source.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace mpsbench::dataset {

// The bytes of a data file, mapped into memory. Copies share them; they are freed with the last copy.
struct SharedBytes {
  std::shared_ptr<const void> owner;
  std::span<const std::uint8_t> view;

  // Returns the bytes from OFFSET on, with the same owner.
  [[nodiscard]] SharedBytes from(std::size_t offset) const { return {owner, view.subspan(offset)}; }
};

// Maps PATH read-only, so its pages need no memory of their own. Throws Error(usage) if it is not a regular
// file, is empty or cannot be read. The file's length must not change while it is mapped.
[[nodiscard]] SharedBytes map_file(const std::filesystem::path& path);

// Returns the error "FILE: PROBLEM", which also says what to do.
[[nodiscard]] base::Error damaged(const std::filesystem::path& file, const std::string& problem);

// Returns the error "FOLDER: PROBLEM" with a way to get the files of DATASET.
[[nodiscard]] base::Error missing(const std::filesystem::path& folder, const std::string& problem,
                                  schema::Dataset dataset);

// Throws Error(usage) if FOLDER is not a folder.
void require_folder(const std::filesystem::path& folder, schema::Dataset dataset);

// Returns the error for the packed FILE, with the command that unpacks it.
[[nodiscard]] base::Error packed(const std::filesystem::path& file);

// Throws packed() if FOLDER contains one of NAMES with ".gz" at its end.
void refuse_packed(const std::filesystem::path& folder, const std::vector<std::string>& names);

// Returns the first of NAMES that FOLDER contains.
[[nodiscard]] std::optional<std::filesystem::path> find_file(const std::filesystem::path& folder,
                                                             const std::vector<std::string>& names);

// Returns the bytes of FILE. If SHA256SUMS in the same folder lists FILE, its checksum must match.
// Otherwise, if FILE has the name and size of a published file, it must have the published checksum.
[[nodiscard]] SharedBytes open_verified(const std::filesystem::path& file);

// Returns the SHA-256 of the file.
[[nodiscard]] std::string file_sha256(const std::filesystem::path& file);

}  // namespace mpsbench::dataset
