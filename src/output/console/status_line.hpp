// A line on the terminal that is overwritten by the next one.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <utility>

namespace mpsbench::output {

class StatusLine {
 public:
  using Write = std::function<void(const std::string&)>;
  using Width = std::function<std::size_t()>;  // current width of the terminal

  StatusLine(Write write, Width width) : write_(std::move(write)), width_(std::move(width)) {}

  // Replaces the line by TEXT, cut to the terminal's width.
  void show(const std::string& text);
  // Removes the line. Call this before you write anything else there.
  void clear();

 private:
  Write write_;
  Width width_;
  std::size_t shown_cells_ = 0;  // width of the line on the terminal; 0: there is none
};

// Returns the width in cells of the terminal at FD, or 80 if it is unknown.
[[nodiscard]] std::size_t terminal_width(int fd);

}  // namespace mpsbench::output
