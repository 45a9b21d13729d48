#include "supervise/worker_process.hpp"

#include "base/clock.hpp"
#include "supervise/spawn.hpp"

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

namespace mpsbench::supervise {
namespace {

constexpr std::size_t kLongestLineBytes = 64U << 20U;
constexpr std::size_t kTailBytes = 8192;
// A process that left the worker's group may hold the pipes open, and even write, for ever.
constexpr double kDrainSeconds = 0.2;
constexpr double kTickSeconds = 1;  // cheap for us, and no counter of energy wraps twice in it
constexpr double kNever = std::numeric_limits<double>::infinity();

enum class Drained { some, for_now, at_end };

// Reads at most one buffer, so that no flood keeps the loop from its deadlines.
template <typename Use>
Drained read_some(const Descriptor& descriptor, Use use) {
  static std::array<char, 65536> buffer;
  const ssize_t count = ::read(descriptor.get(), buffer.data(), buffer.size());
  if (count > 0) {
    use(std::string_view(buffer.data(), static_cast<std::size_t>(count)));
    return Drained::some;
  }
  if (count < 0 && errno == EINTR) return Drained::some;
  return count < 0 && errno == EAGAIN ? Drained::for_now : Drained::at_end;
}

class Watch {
 public:
  Watch(const std::filesystem::path& program, const std::vector<std::string>& arguments,
        std::string_view request, const WorkerLimits& limits, LineSink& sink, Interrupt* interrupt)
      : child_(program, arguments),
        request_(request),
        limits_(limits),
        sink_(sink),
        interrupt_(interrupt),
        next_at_(base::steady_seconds() + limits.timeout_seconds) {}

  WorkerEnd run() {
    while (!wait_for_news()) {
      follow_interrupts();
      follow_deadline();
      follow_clock();
    }
    return finish();
  }

 private:
  // Sleeps until something happens; true when the worker has ended.
  bool wait_for_news() {
    const int wake = interrupt_ != nullptr ? interrupt_->descriptor() : -1;
    const int unsent = request_.empty() ? -1 : child_.request.get();
    std::array<pollfd, 5> news{{{child_.exit_descriptor(), POLLIN, 0},
                                {child_.events.get(), POLLIN, 0},
                                {child_.output.get(), POLLIN, 0},
                                {unsent, POLLOUT, 0},
                                {wake, POLLIN, 0}}};
    const int timeout = poll_milliseconds(std::min(next_at_, tick_at_) - base::steady_seconds());
    if (::poll(news.data(), news.size(), timeout) <= 0) return false;
    if (news[1].revents != 0) read_events();
    if (news[2].revents != 0) read_output();
    if (news[3].revents != 0) send_request();
    if (news[4].revents != 0) interrupt_->acknowledge();
    return news[0].revents != 0;
  }

  void send_request() {
    const ssize_t count = ::write(child_.request.get(), request_.data(), request_.size());
    if (count >= 0) {
      request_.remove_prefix(static_cast<std::size_t>(count));
    } else if (errno != EAGAIN && errno != EINTR) {
      request_ = {};  // it does not listen any more; its end says the rest
    }
  }

  Drained read_events() {
    const Drained drained = read_some(child_.events, [this](std::string_view bytes) { take_events(bytes); });
    if (drained == Drained::at_end) child_.events.close();
    return drained;
  }

  Drained read_output() {
    const Drained drained = read_some(child_.output, [this](std::string_view bytes) {
      end_.stderr_tail += bytes;
      if (end_.stderr_tail.size() > 2 * kTailBytes) trim_tail();
    });
    if (drained == Drained::at_end) child_.output.close();
    return drained;
  }

  void take_events(std::string_view bytes) {
    while (!deaf_ && !bytes.empty()) {
      const std::size_t line_end = bytes.find('\n');
      line_ += bytes.substr(0, line_end);
      if (line_.size() > kLongestLineBytes) {
        sink_.on_line_too_long();
        refuse();
      }
      if (deaf_ || line_end == std::string_view::npos) return;
      bytes.remove_prefix(line_end + 1);
      if (!sink_.on_line(line_)) refuse();
      line_.clear();
    }
  }

  void refuse() {
    deaf_ = true;
    line_ = {};
    stop(Stop::refused);
  }

  void follow_interrupts() {
    if (interrupt_ == nullptr || interrupt_->count() == 0) return;
    stop(Stop::interrupted);
    if (interrupt_->count() > 1) kill_now();
  }

  void follow_deadline() {
    if (base::steady_seconds() < next_at_) return;
    if (end_.stop == Stop::none) {
      stop(Stop::timeout);
    } else {
      kill_now();
    }
  }

  void follow_clock() {
    if (base::steady_seconds() < tick_at_) return;
    sink_.on_tick();
    tick_at_ = base::steady_seconds() + kTickSeconds;
  }

  void stop(Stop why) {
    if (end_.stop != Stop::none) return;
    end_.stop = why;
    child_.signal_group(SIGTERM);
    next_at_ = base::steady_seconds() + limits_.kill_grace_seconds;
  }

  void kill_now() {
    child_.signal_group(SIGKILL);
    next_at_ = kNever;
  }

  WorkerEnd finish() {
    const ProcessUsage usage = child_.reap();
    const double drain_until = base::steady_seconds() + kDrainSeconds;
    while (read_events() == Drained::some && base::steady_seconds() < drain_until) {
    }
    while (read_output() == Drained::some && base::steady_seconds() < drain_until) {
    }
    trim_tail();
    end_.half_line = !line_.empty();
    end_.wait_status = usage.wait_status;
    end_.peak_resident_bytes = usage.peak_resident_bytes;
    end_.cpu_seconds = usage.cpu_seconds;
    return std::move(end_);
  }

  void trim_tail() {
    if (end_.stderr_tail.size() > kTailBytes) end_.stderr_tail.erase(0, end_.stderr_tail.size() - kTailBytes);
  }

  Child child_;
  std::string_view request_;  // what is still to be sent
  WorkerLimits limits_;
  LineSink& sink_;
  Interrupt* interrupt_;
  double tick_at_ = base::steady_seconds() + kTickSeconds;
  double next_at_;     // of the next stronger measure, on the steady clock
  std::string line_;   // begun, not ended
  bool deaf_ = false;  // it talked nonsense: read on, listen no more
  WorkerEnd end_;
};

}  // namespace

WorkerEnd run_worker(const std::filesystem::path& program, const std::string& request_line,
                     const WorkerLimits& limits, LineSink& sink, Interrupt* interrupt,
                     const std::vector<std::string>& arguments) {
  ::signal(SIGPIPE, SIG_IGN);  // a worker that is gone must not take us with it
  const std::string request = request_line + '\n';
  std::optional<Watch> watch;
  try {
    watch.emplace(program, arguments, request, limits, sink, interrupt);
  } catch (const std::system_error& error) {
    WorkerEnd end;
    end.spawn_error = error.code().message();
    return end;
  }
  return watch->run();
}

}  // namespace mpsbench::supervise
