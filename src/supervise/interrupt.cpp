#include "supervise/interrupt.hpp"

#include "base/clock.hpp"
#include "base/error.hpp"
#include "supervise/descriptor.hpp"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>

namespace mpsbench::supervise {
namespace {

constexpr std::array<int, 3> kSignals{SIGINT, SIGTERM, SIGHUP};

// A signal handler may only use lock-free atomics.
std::atomic<int> signal_count{0};
std::atomic<int> wake_descriptor{-1};

void on_signal(int /*number*/) {
  const int saved_errno = errno;
  signal_count.fetch_add(1);
  const char byte = 1;
  // If the pipe is full, poll() wakes anyway.
  [[maybe_unused]] const ssize_t written = ::write(wake_descriptor.load(), &byte, 1);
  errno = saved_errno;
}

bool handled_by_us(int number) {
  struct sigaction current{};
  return ::sigaction(number, nullptr, &current) == 0 && current.sa_handler == on_signal;
}

}  // namespace

Interrupt::Interrupt() {
  Pipe pipe = make_pipe();
  set_nonblocking(pipe.read.get());
  set_nonblocking(pipe.write.get());
  wake_ = std::move(pipe.read);
  wake_writer_ = std::move(pipe.write);
  signal_count = 0;
  wake_descriptor = wake_writer_.get();
  struct sigaction action{};
  action.sa_handler = on_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (const int number : kSignals) {
    struct sigaction current{};
    ::sigaction(number, nullptr, &current);
    if (current.sa_handler != SIG_IGN) ::sigaction(number, &action, nullptr);
  }
}

Interrupt::~Interrupt() {
  for (const int number : kSignals) {
    if (handled_by_us(number)) ::signal(number, SIG_DFL);
  }
  wake_descriptor = -1;
}

int Interrupt::count() const {
  return signal_count.load();
}

void Interrupt::acknowledge() {
  std::array<char, 64> bytes{};
  while (::read(wake_.get(), bytes.data(), bytes.size()) > 0) {
  }
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

}  // namespace mpsbench::supervise
