#include "base/descriptor.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

namespace mpsbench::base {

Descriptor::~Descriptor() {
  close();
}

Descriptor::Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    close();
    fd_ = std::exchange(other.fd_, -1);
  }
  return *this;
}

void Descriptor::close() {
  if (fd_ >= 0) ::close(std::exchange(fd_, -1));
}

bool is_name_of(const std::filesystem::path& path, int fd) {
  struct stat named{};
  struct stat open{};
  return ::lstat(path.c_str(), &named) == 0 && ::fstat(fd, &open) == 0 && open.st_nlink > 0 &&
         named.st_dev == open.st_dev && named.st_ino == open.st_ino;
}

void start_process() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd) {
    if (::fcntl(fd, F_GETFD) >= 0) continue;
    // The system takes the lowest free number. Without /dev/null, the root keeps it from other files.
    if (::open("/dev/null", fd == STDIN_FILENO ? O_RDONLY : O_WRONLY) < 0) (void)::open("/", O_RDONLY);
  }
  ::signal(SIGXFSZ, SIG_IGN);
}

}  // namespace mpsbench::base
