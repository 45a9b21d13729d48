#include "worker/parent_watch.hpp"

#include <unistd.h>

#include <cctype>
#include <fstream>
#include <string>

#ifdef __APPLE__
#include <poll.h>

#include <array>
#include <thread>
#else
#include <sys/prctl.h>

#include <csignal>
#endif

namespace mpsbench::worker {
namespace {

#ifdef __APPLE__
// The front keeps the worker's stdin open as long as it lives.
void exit_at_end_of_input() {
  std::array<char, 256> ignored{};
  while (::read(STDIN_FILENO, ignored.data(), ignored.size()) > 0) {
  }
  ::_exit(1);
}
#endif

}  // namespace

bool end_with_front(std::int64_t front_pid, [[maybe_unused]] Input input) {
#ifdef __APPLE__
  if (input == Input::nobody) std::thread(exit_at_end_of_input).detach();
#else
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  // The front may have ended before the watch was set up.
  return ::getppid() == front_pid;
}

// The format is "PID (NAME) STATE ...". NAME may contain any character.
bool is_front_stopped(std::int64_t front_pid) {
  std::ifstream file("/proc/" + std::to_string(front_pid) + "/stat");
  std::string text;
  std::getline(file, text, '\0');
  const std::size_t name_end = text.rfind(") ");
  return name_end != std::string::npos && std::toupper(text.at(name_end + 2)) == 'T';
}

}  // namespace mpsbench::worker
