#include "supervise/interrupt.hpp"

#include "base/clock.hpp"
#include "base/error.hpp"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <cmath>
#include <string>
#include <system_error>
#include <utility>

namespace mpsbench::supervise {
namespace {

constexpr std::array<int, 3> kSignals{SIGINT, SIGTERM, SIGHUP};

// A signal handler may only use lock-free atomics.
std::atomic<int> signal_count{0};
std::atomic<int> interrupt_writer{-1};
std::atomic<int> child_writer{-1};

// If the pipe is full, poll() wakes anyway.
void wake(const std::atomic<int>& writer) {
  const int saved_errno = errno;
  [[maybe_unused]] const ssize_t written = ::write(writer.load(), "", 1);
  errno = saved_errno;
}

void on_interrupt(int /*number*/) {
  signal_count.fetch_add(1);
  wake(interrupt_writer);
}

void on_child(int /*number*/) {
  wake(child_writer);
}

void handle(int number, void (*handler)(int)) {
  struct sigaction action{};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  ::sigaction(number, &action, nullptr);
}

auto handler_of(int number) {
  struct sigaction current{};
  ::sigaction(number, nullptr, &current);
  return current.sa_handler;
}

Pipe make_wake_pipe() {
  Pipe pipe = make_pipe();
  for (const int fd : {pipe.read.get(), pipe.write.get()}) set_nonblocking(fd);
  return pipe;
}

void empty(const Pipe& pipe) {
  std::array<char, 64> bytes{};
  while (::read(pipe.read.get(), bytes.data(), bytes.size()) > 0) {
  }
}

// Throws the system's ERROR of CALL, which opens a file.
[[noreturn]] void fail_to_open(int error, const char* call) {
  if (error != EMFILE) throw std::system_error(error, std::generic_category(), call);
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  throw base::usage_error("this process may have only " + std::to_string(limit.rlim_cur) +
                          " files open (ulimit -n), which is too few to start workers; raise the limit, such as " +
                          "with ulimit -n 1024");
}

const Pipe& child_pipe() {
  static const Pipe kPipe = [] {
    Pipe made = make_wake_pipe();
    child_writer = made.write.get();
    handle(SIGCHLD, on_child);
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGCHLD);
    ::pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);  // who started this process may have blocked it
    return made;
  }();
  return kPipe;
}

}  // namespace

Pipe make_pipe() {
  int ends[2] = {-1, -1};
#ifdef __APPLE__
  const int result = ::pipe(ends);
#else
  const int result = ::pipe2(ends, O_CLOEXEC);
#endif
  if (result != 0) fail_to_open(errno, "pipe");
  Pipe pipe{Descriptor(ends[0]), Descriptor(ends[1])};
  return {lift(std::move(pipe.read)), lift(std::move(pipe.write))};
}

Descriptor lift(Descriptor low) {
  constexpr int kFirstFree = 10;
#ifdef __APPLE__
  ::fcntl(low.get(), F_SETFD, FD_CLOEXEC);
#endif
  if (low.get() >= kFirstFree) return low;
  const int high = ::fcntl(low.get(), F_DUPFD_CLOEXEC, kFirstFree);
  if (high < 0) fail_to_open(errno == EINVAL ? EMFILE : errno, "fcntl");  // EINVAL: none so high is allowed
  return Descriptor(high);
}

void set_nonblocking(int fd) {
  const auto flags = static_cast<unsigned>(::fcntl(fd, F_GETFL)) | static_cast<unsigned>(O_NONBLOCK);
  ::fcntl(fd, F_SETFL, static_cast<int>(flags));
}

int poll_milliseconds(double seconds) {
  constexpr double kLongest = 86'400'000;  // a day; the caller then checks the clock again
  return static_cast<int>(std::clamp(std::ceil(seconds * 1000), 0.0, kLongest));
}

Interrupt::Interrupt() : wake_(make_wake_pipe()) {
  signal_count = 0;
  interrupt_writer = wake_.write.get();
  for (const int number : kSignals) {
    if (handler_of(number) != SIG_IGN) handle(number, on_interrupt);
  }
}

Interrupt::~Interrupt() {
  for (const int number : kSignals) {
    if (handler_of(number) == on_interrupt) ::signal(number, SIG_DFL);
  }
  interrupt_writer = -1;
}

int Interrupt::count() const {
  return signal_count.load();
}

void Interrupt::acknowledge() {
  empty(wake_);
}

bool Interrupt::wait(double seconds) {
  const double end = base::steady_seconds() + seconds;
  while (count() == 0) {
    const double left = end - base::steady_seconds();
    if (left <= 0) return false;
    pollfd wake{descriptor(), POLLIN, 0};
    ::poll(&wake, 1, poll_milliseconds(left));
  }
  return true;
}

int child_news() {
  return child_pipe().read.get();
}

void acknowledge_child_news() {
  empty(child_pipe());
}

}  // namespace mpsbench::supervise
