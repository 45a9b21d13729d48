#include "base/random_hex.hpp"

#include <random>
#include <string_view>

namespace mpsbench::base {

std::string random_hex(std::size_t length) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::random_device device;
  std::uniform_int_distribution<std::size_t> digit(0, kDigits.size() - 1);
  std::string text;
  while (text.size() < length) text += kDigits[digit(device)];
  return text;
}

}  // namespace mpsbench::base
