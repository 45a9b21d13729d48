// One worker process from start to end: sends its request, reads its events and output, and reaps it with its group.
#pragma once

#include "base/interface.hpp"
#include "supervise/interrupt.hpp"

#include <poll.h>
#include <signal.h>
#include <sys/types.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mpsbench::supervise {

// What to start. A program of the Python package also gets the variables that it needs to find its libraries.
struct WorkerCommand {
  std::filesystem::path program;
  std::string request_line;  // without its line break
  std::vector<std::string> arguments{};
  std::vector<std::string> environment{};  // "NAME=VALUE"; replaces our variable of that name
  std::vector<int> cpus{};                 // that it may use; empty: the same as this process
  int listener = -1;                       // the socket of its group, only for rank 0: its kGroupDescriptor
};

// Receives the worker's event lines.
class LineSink : public base::Interface {
 public:
  // LINE has no line break. Return false to stop the worker because it broke the protocol.
  virtual bool on_line(const std::string& line) = 0;
  // A line exceeded the limit and was discarded. The worker is stopped.
  virtual void on_line_too_long() {}
  // Called about once a second while the worker runs.
  virtual void on_tick() {}
  // Whether the events report success. Called if the worker ended with code 0.
  [[nodiscard]] virtual bool reports_success() const { return true; }
  // Whether the events report only that another member of the group is lost.
  [[nodiscard]] virtual bool reports_lost_rank() const { return false; }
};

// Why the front ended the worker. Frozen: a signal had stopped it for long. Peer: another member of its group
// had failed.
enum class Stop { none, timeout, interrupted, refused, frozen, peer };

struct WorkerEnd {
  std::string spawn_error;               // the system's reason; empty if the worker was started
  int wait_status = 0;                   // from wait4()
  std::int64_t peak_resident_bytes = 0;  // of it and its children, like the next one
  double cpu_seconds = 0;
  Stop stop = Stop::none;
  double over_seconds = 0;  // on the steady clock: when it was asked to end, or when it ended on its own
  bool half_line = false;   // the last event was incomplete
  std::string stderr_tail;  // at most 8 KiB
};

// A running worker. Destroying it kills its group and reaps it.
class WorkerProcess {
 public:
  // Throws std::system_error if the program cannot be started, or like make_pipe().
  WorkerProcess(const WorkerCommand& command, LineSink& sink);
  ~WorkerProcess();
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  [[nodiscard]] pid_t pid() const { return pid_; }

  // Returns what poll() must watch. Pass poll()'s answer to follow(), which reads what there is and sends the
  // rest of the request.
  static constexpr std::size_t kWatched = 3;
  [[nodiscard]] std::array<pollfd, kWatched> watched() const;
  void follow(std::span<const pollfd, kWatched> news);

  // Asks the system, when child_news() says that there is something new. If it has ended, call finish().
  [[nodiscard]] bool has_ended() const;
  // Follows signals such as SIGSTOP and SIGCONT. Returns whether the process was stopped at any time since the
  // last call.
  bool follow_stops();
  // Whether the last news were that a signal has stopped it.
  [[nodiscard]] bool is_stopped() const { return is_stopped_; }
  // True if the worker broke the protocol and was asked to end.
  [[nodiscard]] bool is_refused() const { return is_refused_; }

  // Appends LINE to what the worker reads after its request.
  void send(const std::string& line);
  // Closes the worker's input once everything is sent.
  void close_input();

  void tick() { sink_.on_tick(); }
  // Asks the worker to end, unless it was asked before.
  void stop(Stop why);
  void kill() const { signal_group(SIGKILL); }
  // Waits for the end, reads the remaining output, and reaps the worker with its whole group. Call this once.
  [[nodiscard]] WorkerEnd finish();

 private:
  void signal_group(int number) const;
  void reap();
  void send_request();
  // Read at most one buffer, so that a flood of output cannot delay the loop's deadlines. Return whether there
  // was anything.
  bool read_events();
  bool read_output();
  void take_events(std::string_view bytes);
  void refuse();
  void trim_tail();

  pid_t pid_ = -1;           // until it is reaped
  Descriptor request_pipe_;  // our ends of the pipes, all non-blocking
  Descriptor output_;        // its stdout and stderr
  Descriptor events_;
  std::string request_;   // and what was sent after it
  std::size_t sent_ = 0;  // bytes of request_
  LineSink& sink_;
  bool is_stopped_ = false;
  bool closes_input_ = false;
  std::string line_;         // the current, incomplete line
  bool is_refused_ = false;  // it broke the protocol: its events are read but ignored
  WorkerEnd end_;
};

}  // namespace mpsbench::supervise
