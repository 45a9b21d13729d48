#include "cli/shell/terminal.hpp"

#include "output/text/text.hpp"

#include <poll.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string_view>

namespace mpsbench::cli {
namespace {

using base::ExitCode;

// Whether FD is a terminal that may show colours and overwrite lines.
bool is_rich_terminal(int fd) {
  const char* no_colour = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool refused = (no_colour != nullptr && *no_colour != '\0') || terminal == nullptr || *terminal == '\0' ||
                       std::string_view(terminal) == "dumb";
  return !refused && ::isatty(fd) == 1;
}

// Whether stdout is a pipe whose reader has closed it, as in `mpsbench run ... | head -1`.
bool reader_has_gone() {
  pollfd descriptor{STDOUT_FILENO, POLLOUT, 0};
  return ::poll(&descriptor, 1, 0) == 1 && (descriptor.revents & POLLERR) != 0;
}

// Returns CODE, or a worse one if stdout could not be written.
ExitCode after_output(ExitCode code) {
  const bool arrived = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
  if (arrived || reader_has_gone()) return code;
  std::clearerr(stdout);  // this is said once
  return fail(base::worse(code, ExitCode::incomplete), "stdout could not be written completely");
}

}  // namespace

bool use_colour(const suite::Settings& settings, int fd) {
  const auto when = settings.color.value_or(suite::ColourChoice::automatic);
  return when == suite::ColourChoice::automatic ? is_rich_terminal(fd) : when == suite::ColourChoice::always;
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

ExitCode fail(ExitCode code, const std::string& message) {
  std::fprintf(stderr, "mpsbench: %s\n", output::printable(message).c_str());
  return code;
}

ExitCode complete(const std::function<ExitCode()>& action) {
  try {
    return after_output(action());
  } catch (const base::Error& error) {
    return fail(base::exit_code(error.kind()), error.what());
  } catch (const std::exception& error) {
    return fail(ExitCode::incomplete, std::string("unexpected: ") + error.what());
  }
}

}  // namespace mpsbench::cli
