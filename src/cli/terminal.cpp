#include "cli/terminal.hpp"

#include <unistd.h>

#include <cstdlib>

namespace mpsbench::cli {
namespace {

// FD is a terminal that may be painted and overwritten.
bool is_rich_terminal(int fd) {
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool refused =
      (no_colour != nullptr && *no_colour != '\0') || terminal == nullptr || std::string(terminal) == "dumb";
  return !refused && ::isatty(fd) == 1;
}

}  // namespace

bool colour_when(const std::string& when, int fd) {
  return when == "auto" ? is_rich_terminal(fd) : when == "always";
}

bool use_colour(const suite::Settings& settings, int fd) {
  return colour_when(settings.text("color").value_or("auto"), fd);
}

output::Progress::Style progress_style(const suite::Settings& settings) {
  if (settings.flag("no-progress") || settings.flag("quiet")) return output::Progress::Style::none;
  return is_rich_terminal(STDERR_FILENO) ? output::Progress::Style::line : output::Progress::Style::plain;
}

}  // namespace mpsbench::cli
