#include "base/clock.hpp"

#include <signal.h>

#include <array>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace mpsbench::base {
namespace {

std::atomic<int> continues{0};
static_assert(std::atomic<int>::is_always_lock_free);  // a signal handler may change it

std::string format_time(const char* format, const std::tm& time) {
  std::array<char, 64> text{};
  const std::size_t length = std::strftime(text.data(), text.size(), format, &time);
  return {text.data(), length};
}

}  // namespace

double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double slept_seconds() {
#ifdef __linux__
  const auto read = [](clockid_t clock) {
    timespec time{};
    ::clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
  };
  const double awake = read(CLOCK_MONOTONIC);  // read first, so that the difference is not below 0
  return read(CLOCK_BOOTTIME) - awake;
#else
  return 0;  // macOS's steady clock counts sleep
#endif
}

void count_continues() {
  struct sigaction action{};
  action.sa_handler = [](int /*signal*/) { continues.fetch_add(1, std::memory_order_relaxed); };
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGCONT, &action, nullptr);
}

int times_continued() {
  return continues.load(std::memory_order_relaxed);
}

// Linux starts the clock anew at each boot, and a time namespace, as of a container, may shift it.
std::string steady_clock_name() {
  std::string boot;
  std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), boot);
  std::error_code unknown;  // old kernels have no such namespaces
  return boot.empty() ? "" : boot + std::filesystem::read_symlink("/proc/self/ns/time", unknown).string();
}

std::string utc_timestamp() {
  return utc_timestamp(std::time(nullptr));
}

std::string utc_timestamp(std::time_t time) {
  std::tm parts{};
  gmtime_r(&time, &parts);
  return format_time("%Y-%m-%dT%H:%M:%SZ", parts);
}

std::string local_file_timestamp() {
  const std::time_t now = std::time(nullptr);
  std::tm time{};
  localtime_r(&now, &time);
  return format_time("%Y-%m-%dT%H%M%S", time);
}

}  // namespace mpsbench::base
