// Reads and writes report files.
#pragma once

#include "schema/report.hpp"

#include <filesystem>

namespace mpsbench::schema {

// Throws Error(usage), which names the file and the place in it, if FILE is not a report.
[[nodiscard]] Report load_report(const std::filesystem::path& file);

// Writes like base::write_file().
void save_report(const Report& report, const std::filesystem::path& file,
                 const std::filesystem::path& like = {});

}  // namespace mpsbench::schema
