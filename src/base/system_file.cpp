#include "base/system_file.hpp"

#include "base/units.hpp"

#include <fstream>
#include <iterator>
#include <string_view>
#include <system_error>

namespace mpsbench::base {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestFile = 4 << 20;  // /proc/cpuinfo of a machine with 1,000 CPUs has 1.5 MB

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

}  // namespace

std::string read_system_file(const fs::path& path) {
  std::error_code ignored;
  if (fs::is_directory(path, ignored)) return {};
  std::ifstream file(path, std::ios::binary);
  std::string text;
  std::string block(64 << 10, '\0');
  while (text.size() < kLargestFile && (file.read(block.data(), std::ssize(block)) || file.gcount() > 0)) {
    text.append(block, 0, static_cast<std::size_t>(file.gcount()));
  }
  return text;
}

std::string read_first_line(const fs::path& path) {
  const std::string text = read_system_file(path);
  return std::string(trim(std::string_view(text).substr(0, text.find_first_of(std::string_view("\n\0", 2)))));
}

std::optional<std::int64_t> read_whole_number(const fs::path& path) {
  return parse_whole_number(read_first_line(path));
}

}  // namespace mpsbench::base
