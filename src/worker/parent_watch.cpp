#include "worker/parent_watch.hpp"

#include <unistd.h>

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

bool end_with_front(std::int64_t front_pid) {
#ifdef __APPLE__
  std::thread(exit_at_end_of_input).detach();
#else
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
#endif
  // The front may have ended before the watch was set up.
  return ::getppid() == front_pid;
}

}  // namespace mpsbench::worker
