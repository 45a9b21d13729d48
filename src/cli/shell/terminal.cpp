#include "cli/shell/terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace mpsbench::cli {
namespace {

// Whether FD is a terminal that may show colours and overwrite lines.
bool is_rich_terminal(int fd) {
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool refused = (no_colour != nullptr && *no_colour != '\0') || terminal == nullptr || *terminal == '\0' ||
                       std::string_view(terminal) == "dumb";
  return !refused && ::isatty(fd) == 1;
}

}  // namespace

bool colour_when(suite::ColourChoice when, int fd) {
  return when == suite::ColourChoice::automatic ? is_rich_terminal(fd) : when == suite::ColourChoice::always;
}

bool use_colour(const suite::Settings& settings, int fd) {
  return colour_when(settings.color.value_or(suite::ColourChoice::automatic), fd);
}

output::Progress::Style progress_style(const suite::Settings& settings) {
  if (settings.no_progress.is_on() || settings.quiet.is_on()) return output::Progress::Style::none;
  return is_rich_terminal(STDERR_FILENO) ? output::Progress::Style::line : output::Progress::Style::plain;
}

std::optional<std::size_t> line_width(int fd) {
  winsize size{};
  if (::ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return std::nullopt;
  return size.ws_col;
}

void write_to_stderr(const std::string& text) {
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace mpsbench::cli
