#include "base/process_start.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

namespace mpsbench::base {

void start_process() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    if (::fcntl(fd, F_GETFD) >= 0) continue;
    // The system takes the lowest free number. Without /dev/null, the root keeps it from other files.
    if (::open("/dev/null", fd == STDIN_FILENO ? O_RDONLY : O_WRONLY) < 0) (void)::open("/", O_RDONLY);
  }
  ::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace mpsbench::base
