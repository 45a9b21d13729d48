// What the two output streams can show.
#pragma once

#include "output/console/progress.hpp"
#include "suite/settings.hpp"

namespace mpsbench::cli {

// WHEN, NO_COLOR and whether FD is a terminal.
[[nodiscard]] bool colour_when(suite::ColourChoice when, int fd);
// The same by --color.
[[nodiscard]] bool use_colour(const suite::Settings& settings, int fd);

// One line that overwrites itself, plain lines, or nothing.
[[nodiscard]] output::Progress::Style progress_style(const suite::Settings& settings);

}  // namespace mpsbench::cli
