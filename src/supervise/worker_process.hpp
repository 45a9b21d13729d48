// One worker process from its start to its end: fed, heard and reaped, with its group.
#pragma once

#include "base/interface.hpp"
#include "supervise/spawn.hpp"

#include <poll.h>
#include <signal.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace mpsbench::supervise {

// Takes the worker's event lines as they come.
class LineSink : public base::Interface {
 public:
  // LINE without its line break. False: the worker talks nonsense, stop it.
  virtual bool on_line(const std::string& line) = 0;
  // A line grew past the limit and was thrown away; the worker is stopped.
  virtual void on_line_too_long() = 0;
  // About once a second as long as the worker runs.
  virtual void on_tick() {}
  // Asked of a worker that ended with code 0: whether its words say that all went well.
  [[nodiscard]] virtual bool reports_success() const { return true; }
};

// Why the front ended the worker. Peer: another of its group had ended badly.
enum class Stop { none, timeout, interrupted, refused, peer };

struct WorkerEnd {
  std::string spawn_error;  // the system's reason; empty when the worker ran
  Stop stop = Stop::none;
  double over_seconds = 0;  // on the steady clock: when it was told to end, else when it had ended
  int wait_status = 0;      // as wait4() gave it
  bool half_line = false;   // the last event had no end
  std::string stderr_tail;  // at most 8 KiB
  std::int64_t peak_resident_bytes = 0;
  double cpu_seconds = 0;
};

struct WorkerCommand {
  std::filesystem::path program;
  std::string request_line;  // without its line break
  std::vector<std::string> arguments{};
  std::vector<std::string> environment{};  // "NAME=VALUE", in place of ours of that name
};

class WorkerProcess {
 public:
  // Starts it. Throws std::system_error when that fails.
  WorkerProcess(const WorkerCommand& command, LineSink& sink);

  // What poll() is to watch, and what to do about its answer: reads what there is, and sends what is left.
  static constexpr std::size_t kWatched = 4;
  [[nodiscard]] std::array<pollfd, kWatched> watched() const;
  void follow(std::span<const pollfd, kWatched> news);

  // The poll said so of the process itself: finish() then.
  [[nodiscard]] static bool has_ended(std::span<const pollfd, kWatched> news) { return news[0].revents != 0; }
  // It talked nonsense and has been told to end.
  [[nodiscard]] bool is_refused() const { return is_refused_; }

  void tick() { sink_.on_tick(); }
  // Asks it to end, unless somebody did so before.
  void stop(Stop why);
  void kill() { child_.signal_group(SIGKILL); }
  // Waits for the end, takes its last words and reaps. Call once. Nothing of its group is left.
  [[nodiscard]] WorkerEnd finish();

 private:
  enum class Drained { some, for_now, at_end };

  template <typename Use>
  static Drained read_some(const Descriptor& descriptor, Use use);
  void send_request();
  Drained read_events();
  Drained read_output();
  void take_events(std::string_view bytes);
  void refuse();
  void trim_tail();

  Child child_;
  std::string request_;
  std::size_t sent_ = 0;  // of the request
  LineSink& sink_;
  std::string line_;         // begun, not ended
  bool is_refused_ = false;  // it talked nonsense: read on, listen no more
  WorkerEnd end_;
};

}  // namespace mpsbench::supervise
