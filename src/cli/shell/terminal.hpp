// What stdout and stderr can show, and what a command leaves there: all of its output, or its failure.
#pragma once

#include "base/error.hpp"
#include "output/console/progress.hpp"
#include "suite/settings.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>

namespace mpsbench::cli {

// Whether to use colour on FD. --color decides; automatic looks at NO_COLOR and at whether FD is a terminal.
[[nodiscard]] bool use_colour(const suite::Settings& settings, int fd);

// Returns how to show progress: one line that overwrites itself, plain lines, or nothing.
[[nodiscard]] output::Progress::Style progress_style(const suite::Settings& settings);

// Returns the number of characters in a line of FD, or nullopt if it is no terminal or does not tell.
[[nodiscard]] std::optional<std::size_t> line_width(int fd);

// Writes TEXT at once.
void write_to_stderr(const std::string& text);

// Runs ACTION and writes out all of stdout. Returns ACTION's exit code, or a worse one if stdout could not be
// written. If ACTION throws, says so on stderr and returns the code of the error.
[[nodiscard]] base::ExitCode complete(const std::function<base::ExitCode()>& action);

// Says MESSAGE on stderr and returns CODE.
base::ExitCode fail(base::ExitCode code, const std::string& message);

}  // namespace mpsbench::cli
