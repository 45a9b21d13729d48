// A count with its noun: "1 case", "2 cases".
#pragma once

#include <cstddef>
#include <string>

namespace mpsbench::base {

[[nodiscard]] inline std::string counted(std::size_t count, const std::string& one, const std::string& many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

}  // namespace mpsbench::base
