// What stdout and stderr can show.
#pragma once

#include "output/console/progress.hpp"
#include "suite/settings.hpp"

#include <cstddef>
#include <optional>
#include <string>

namespace mpsbench::cli {

// Whether to use colour on FD. WHEN decides; automatic looks at NO_COLOR and at whether FD is a terminal.
[[nodiscard]] bool colour_when(suite::ColourChoice when, int fd);
// The same with the value of --color.
[[nodiscard]] bool use_colour(const suite::Settings& settings, int fd);

// Returns how to show progress: one line that overwrites itself, plain lines, or nothing.
[[nodiscard]] output::Progress::Style progress_style(const suite::Settings& settings);

// Returns the number of characters in a line of FD, or nullopt if it is no terminal or does not tell.
[[nodiscard]] std::optional<std::size_t> line_width(int fd);

// Writes TEXT at once.
void write_to_stderr(const std::string& text);

}  // namespace mpsbench::cli
