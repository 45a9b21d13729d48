#include "base/clock.hpp"

#include <array>
#include <chrono>
#include <ctime>

namespace mpsbench::base {
namespace {

std::string format_time(const char* format, const std::tm& time) {
  std::array<char, 64> text{};
  const std::size_t length = std::strftime(text.data(), text.size(), format, &time);
  return {text.data(), length};
}

}  // namespace

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string utc_timestamp() {
  const std::time_t now = std::time(nullptr);
  std::tm time{};
  gmtime_r(&now, &time);
  return format_time("%Y-%m-%dT%H:%M:%SZ", time);
}

std::string local_file_timestamp() {
  const std::time_t now = std::time(nullptr);
  std::tm time{};
  localtime_r(&now, &time);
  return format_time("%Y-%m-%dT%H%M%S", time);
}

}  // namespace mpsbench::base
