#include "supervise/worker_process.hpp"

#include "base/clock.hpp"

#include <unistd.h>

#include <cerrno>
#include <utility>

namespace mpsbench::supervise {
namespace {

constexpr std::size_t kLongestLineBytes = 64U << 20U;
constexpr std::size_t kTailBytes = 8192;
// The longest time to read on after the worker's end. A process that left its group may keep the pipes open,
// and even write to them, forever.
constexpr double kDrainSeconds = 0.2;

}  // namespace

WorkerProcess::WorkerProcess(const WorkerCommand& command, LineSink& sink)
    : child_(command.program, command.arguments, command.environment, command.cpus, command.listener),
      request_(command.request_line + '\n'),
      sink_(sink) {}

std::array<pollfd, WorkerProcess::kWatched> WorkerProcess::watched() const {
  const int unsent = sent_ == request_.size() ? -1 : child_.request.get();
  return {{{child_.exit_descriptor(), POLLIN, 0},
           {child_.events.get(), POLLIN, 0},
           {child_.output.get(), POLLIN, 0},
           {unsent, POLLOUT, 0}}};
}

void WorkerProcess::follow(std::span<const pollfd, kWatched> news) {
  if (news[1].revents != 0) read_events();
  if (news[2].revents != 0) read_output();
  if (news[3].revents != 0) send_request();
}

// Reads at most one buffer, so that a flood of output cannot delay the loop's deadlines.
template <typename Use>
WorkerProcess::Drained WorkerProcess::read_some(const Descriptor& descriptor, Use use) {
  static std::array<char, 65536> buffer;
  const ssize_t count = ::read(descriptor.get(), buffer.data(), buffer.size());
  if (count > 0) {
    use(std::string_view(buffer.data(), static_cast<std::size_t>(count)));
    return Drained::some;
  }
  if (count < 0 && errno == EINTR) return Drained::some;
  return count < 0 && errno == EAGAIN ? Drained::for_now : Drained::at_end;
}

void WorkerProcess::send(const std::string& line) {
  if (sent_ == request_.size()) {
    request_.clear();
    sent_ = 0;
  }
  request_ += line + '\n';
  send_request();
}

void WorkerProcess::close_input() {
  closes_input_ = true;
  send_request();
}

void WorkerProcess::send_request() {
  const ssize_t count = ::write(child_.request.get(), request_.data() + sent_, request_.size() - sent_);
  if (count >= 0) {
    sent_ += static_cast<std::size_t>(count);
  } else if (errno != EAGAIN && errno != EINTR) {
    sent_ = request_.size();  // it no longer reads; how it ends shows why
  }
  if (closes_input_ && sent_ == request_.size()) child_.request.close();
}

WorkerProcess::Drained WorkerProcess::read_events() {
  const Drained drained = read_some(child_.events, [this](std::string_view bytes) { take_events(bytes); });
  if (drained == Drained::at_end) child_.events.close();
  return drained;
}

WorkerProcess::Drained WorkerProcess::read_output() {
  const Drained drained = read_some(child_.output, [this](std::string_view bytes) {
    end_.stderr_tail += bytes;
    if (end_.stderr_tail.size() > 2 * kTailBytes) trim_tail();
  });
  if (drained == Drained::at_end) child_.output.close();
  return drained;
}

void WorkerProcess::take_events(std::string_view bytes) {
  while (!is_refused_ && !bytes.empty()) {
    const std::size_t line_end = bytes.find('\n');
    line_ += bytes.substr(0, line_end);
    if (line_.size() > kLongestLineBytes) {
      sink_.on_line_too_long();
      refuse();
    }
    if (is_refused_ || line_end == std::string_view::npos) return;
    bytes.remove_prefix(line_end + 1);
    if (!sink_.on_line(line_)) refuse();
    line_.clear();
  }
}

void WorkerProcess::refuse() {
  is_refused_ = true;
  line_ = {};
  stop(Stop::refused);
}

void WorkerProcess::stop(Stop why) {
  if (end_.stop != Stop::none) return;
  end_.stop = why;
  end_.over_seconds = base::steady_seconds();
  child_.signal_group(SIGTERM);
}

WorkerEnd WorkerProcess::finish() {
  const ProcessUsage usage = child_.reap();
  const double now = base::steady_seconds();
  if (end_.stop == Stop::none) end_.over_seconds = now;
  while (read_events() == Drained::some && base::steady_seconds() < now + kDrainSeconds) {
  }
  while (read_output() == Drained::some && base::steady_seconds() < now + kDrainSeconds) {
  }
  trim_tail();
  end_.half_line = !line_.empty();
  end_.wait_status = usage.wait_status;
  end_.peak_resident_bytes = usage.peak_resident_bytes;
  end_.cpu_seconds = usage.cpu_seconds;
  return std::move(end_);
}

void WorkerProcess::trim_tail() {
  if (end_.stderr_tail.size() > kTailBytes) end_.stderr_tail.erase(0, end_.stderr_tail.size() - kTailBytes);
}

}  // namespace mpsbench::supervise
