#include "output/console/status_line.hpp"

#include "output/text/text.hpp"

#include <sys/ioctl.h>

#include <algorithm>

namespace mpsbench::output {

void StatusLine::show(const std::string& text) {
  // Leave the last cell free, because some terminals wrap as soon as it is filled.
  const std::size_t cells = width_();
  const std::size_t free = cells > 0 ? cells - 1 : 0;
  const std::string line = truncate(text, free);
  write_("\r" + pad_right(line, std::min(shown_cells_, free)));
  shown_cells_ = display_width(line);
}

void StatusLine::clear() {
  if (shown_cells_ == 0) return;
  write_("\r" + std::string(shown_cells_, ' ') + "\r");
  shown_cells_ = 0;
}

std::size_t terminal_width(int fd) {
  winsize size{};
  const bool known = ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

}  // namespace mpsbench::output
