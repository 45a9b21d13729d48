// A count with its noun: "1 case", "2 cases".
#pragma once

#include <concepts>
#include <string>

namespace mpsbench::base {

[[nodiscard]] std::string counted(std::integral auto count, const std::string& one, const std::string& many) {
  return std::to_string(count) + " " + (count == 1 ? one : many);
}

}  // namespace mpsbench::base
