#include "supervise/descriptor.hpp"

#include "base/error.hpp"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <string>
#include <system_error>
#include <utility>

namespace mpsbench::supervise {
namespace {

constexpr int kFirstFree = 10;

Descriptor lift(Descriptor low) {
  if (low.get() >= kFirstFree) return low;
  const int high = ::fcntl(low.get(), F_DUPFD_CLOEXEC, kFirstFree);
  if (high < 0) fail_to_open(errno == EINVAL ? EMFILE : errno, "fcntl");  // EINVAL: none so high is allowed
  return Descriptor(high);
}

}  // namespace

void fail_to_open(int error, const char* call) {
  if (error != EMFILE) throw std::system_error(error, std::generic_category(), call);
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  throw base::usage_error("this process may have only " + std::to_string(limit.rlim_cur) +
                          " files open (ulimit -n), which is too few to start workers; raise the limit, such as " +
                          "with ulimit -n 1024");
}

Pipe make_pipe() {
  int ends[2] = {-1, -1};
#ifdef __APPLE__
  const int result = ::pipe(ends);
#else
  const int result = ::pipe2(ends, O_CLOEXEC);
#endif
  if (result != 0) fail_to_open(errno, "pipe");
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
