// The front's log. Warnings and notes go to stderr, and everything goes to --log-file. The worker writes
// plain lines to stderr instead.
#pragma once

#include <filesystem>
#include <string>

namespace mpsbench::base::log {

enum class Verbosity { quiet, normal, verbose };

// Call this once, before the first message; otherwise warnings go to stderr without colour. If FILE is empty,
// no log file is written. Otherwise the log is added to it. Throws Error(usage) if FILE cannot be written, or
// if it has something else than a log.
void set_up(Verbosity level, bool colour, const std::filesystem::path& file);

void warn(const std::string& message);    // always to stderr
void info(const std::string& message);    // to stderr unless quiet
void detail(const std::string& message);  // to stderr only if verbose

}  // namespace mpsbench::base::log
