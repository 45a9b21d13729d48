// Reads and writes report files.
#pragma once

#include "schema/report.hpp"

#include <filesystem>

namespace mpsbench::schema {

// Throws Error(usage), which names the file and the place in it, if FILE is not a report.
[[nodiscard]] Report load_report(const std::filesystem::path& file);

// Replaces FILE. Throws Error(incomplete) with the system's reason if it cannot; FILE then is as it was.
void save_report(const Report& report, const std::filesystem::path& file);

}  // namespace mpsbench::schema
