// The front's log: warnings and notes to stderr, and everything to --log-file. The worker writes plain stderr
// lines.
#pragma once

#include <filesystem>
#include <string>

namespace mpsbench::base::log {

enum class Verbosity { quiet, normal, verbose };

// Call once, before the first message. Without it, warnings go to stderr uncoloured.
// Throws Error(usage) when FILE (empty: none) cannot be written.
void set_up(Verbosity level, bool colour, const std::filesystem::path& file);

void warn(const std::string& message);    // always on stderr
void info(const std::string& message);    // stderr unless quiet
void detail(const std::string& message);  // stderr when verbose

}  // namespace mpsbench::base::log
