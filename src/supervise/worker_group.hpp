// One event loop over the worker processes that run a launch together, from their start to their end.
#pragma once

#include "supervise/interrupt.hpp"
#include "supervise/worker_process.hpp"

#include <memory>
#include <vector>

namespace mpsbench::supervise {

struct WorkerLimits {
  double timeout_seconds = 0;     // from the last start to the last end
  double kill_grace_seconds = 2;  // from SIGTERM to SIGKILL
};

// Each member runs in a process group of its own with descriptors 0-3 only (request in, stdout and stderr to
// one pipe, events on 3). Once one ends badly, talks nonsense or cannot be started, the others are told to
// end; a timeout and an interrupt end all.
class WorkerGroup {
 public:
  // INTERRUPT may be null: signals then have their usual effect.
  WorkerGroup(const WorkerLimits& limits, Interrupt* interrupt) : limits_(limits), interrupt_(interrupt) {}

  // SINK must outlive run().
  void add(WorkerCommand command, LineSink& sink);

  // Starts the members, writes their requests and sleeps in the kernel until all have ended or had to be
  // ended. Their ends, in the order in which they were added; nothing of their process groups is left. Call
  // it once, in the main thread: workers die with the thread that started them.
  [[nodiscard]] std::vector<WorkerEnd> run();

 private:
  struct Member {
    WorkerCommand command;
    LineSink* sink = nullptr;
    std::unique_ptr<WorkerProcess> process;  // as long as it runs
    WorkerEnd end;
  };

  void start_all();
  [[nodiscard]] bool any_runs() const;
  void wait_for_news();
  void follow_interrupts();
  void follow_deadline();
  void follow_clock();
  void stop_all(Stop why);
  void kill_all();

  WorkerLimits limits_;
  Interrupt* interrupt_;
  std::vector<Member> members_;
  bool stopping_ = false;
  double next_at_ = 0;  // of the next stronger measure, on the steady clock
  double tick_at_ = 0;
};

// A group of one.
[[nodiscard]] WorkerEnd run_worker(WorkerCommand command, const WorkerLimits& limits, LineSink& sink,
                                   Interrupt* interrupt);

}  // namespace mpsbench::supervise
