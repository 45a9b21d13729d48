#include "supervise/descriptor.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <system_error>
#include <utility>

namespace mpsbench::supervise {
namespace {

constexpr int kFirstFree = 10;

Descriptor lift(Descriptor low) {
  if (low.get() >= kFirstFree) return low;
  const int high = ::fcntl(low.get(), F_DUPFD_CLOEXEC, kFirstFree);
  if (high < 0) throw std::system_error(errno, std::generic_category(), "fcntl");
  return Descriptor(high);
}

}  // namespace

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

Pipe make_pipe() {
  int ends[2] = {-1, -1};
#ifdef __APPLE__
  const int result = ::pipe(ends);
#else
  const int result = ::pipe2(ends, O_CLOEXEC);
#endif
  if (result != 0) throw std::system_error(errno, std::generic_category(), "pipe");
  Pipe pipe{Descriptor(ends[0]), Descriptor(ends[1])};
#ifdef __APPLE__
  for (const int end : ends) ::fcntl(end, F_SETFD, FD_CLOEXEC);
#endif
  return {lift(std::move(pipe.read)), lift(std::move(pipe.write))};
}

void set_nonblocking(int fd) {
  const auto flags = static_cast<unsigned>(::fcntl(fd, F_GETFL)) | static_cast<unsigned>(O_NONBLOCK);
  ::fcntl(fd, F_SETFL, static_cast<int>(flags));
}

int poll_milliseconds(double seconds) {
  constexpr double kLongest = 86'400'000;  // a day; the caller then checks the clock again
  return static_cast<int>(std::clamp(std::ceil(seconds * 1000), 0.0, kLongest));
}

}  // namespace mpsbench::supervise
