// The first line of an error's message. LibTorch's messages have many.
#pragma once

#include <string>

namespace mpsbench::base {

[[nodiscard]] inline std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

}  // namespace mpsbench::base
