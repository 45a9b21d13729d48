// An event loop that starts and watches the worker processes of a launch until all have ended.
#pragma once

#include "base/interface.hpp"
#include "schema/launch.hpp"
#include "supervise/interrupt.hpp"
#include "supervise/worker_process.hpp"

#include <limits>
#include <memory>
#include <vector>

namespace mpsbench::supervise {

// A member may end because another one is lost, and tell so first. For this long the others can then still
// end on their own, so that the front learns the reason of the loss.
inline constexpr double kReasonSeconds = 5;

struct WorkerLimits {
  double timeout_seconds = 0;     // from the last start to the last end
  double kill_grace_seconds = 2;  // from SIGTERM to SIGKILL
  // How long a signal may stop one of several. The others take it for lost a little later.
  double frozen_seconds = 10;
};

class FrontLink;
struct FrontNews;
struct RankEnd;

// The ranks of a launch that other fronts run, as the front sees them whose worker runs here.
class OtherRanks : public base::Interface {
 public:
  explicit OtherRanks(FrontLink& link) : link_(link) {}

  [[nodiscard]] FrontLink& link() const { return link_; }
  // Called for all NEWS that come while workers run here.
  virtual void take(FrontNews news) = 0;
  // Whether the workers here should end because another rank has failed.
  [[nodiscard]] virtual bool wants_end() = 0;
  // Called when the workers here have ended, as HERE says of the first. Waits for the others and returns
  // their ends, in the order of their ranks.
  [[nodiscard]] virtual std::vector<RankEnd> finish(const schema::Launch& here) = 0;

 private:
  FrontLink& link_;
};

// Each member runs in a separate process group and has only the descriptors 0-3 (request on 0, stdout and
// stderr to one pipe, events on 3). If one fails, breaks the protocol or cannot be started, the others are
// asked to end. So are all if a signal stops one of several for long. A timeout or an interrupt ends all.
class WorkerGroup {
 public:
  // If INTERRUPT is null, signals have their usual effect. OTHERS may be null.
  WorkerGroup(const WorkerLimits& limits, Interrupt* interrupt, OtherRanks* others = nullptr)
      : limits_(limits), interrupt_(interrupt), others_(others) {}

  // SINK must outlive run().
  void add(WorkerCommand command, LineSink& sink);

  // Starts the members, writes their requests and sleeps in the kernel until all have ended or were killed.
  // Returns their ends in the order of add(); no process of their groups is left. Call this once and in the
  // main thread, because workers die with the thread that started them.
  [[nodiscard]] std::vector<WorkerEnd> run();

  // Whether this process or a member did not run for a time. That time counts against no limit.
  [[nodiscard]] bool was_stopped() const { return was_stopped_; }

 private:
  struct Member {
    WorkerCommand command;
    LineSink* sink = nullptr;
    std::unique_ptr<WorkerProcess> process;  // null before its start and after its end
    WorkerEnd end;
    double stopped_seconds = 0;  // for how long it has been seen stopped by a signal
  };

  void start_all();
  void wait_for_news();
  void follow_stops();
  void follow_deadline();
  void follow_clock();
  void follow_frozen();
  void stop_all(Stop why);
  void kill_all();

  WorkerLimits limits_;
  Interrupt* interrupt_;
  OtherRanks* others_;
  std::vector<Member> members_;
  bool stopping_ = false;
  double next_at_ = 0;                                          // when to stop or kill the members, on the steady clock
  double reason_at_ = std::numeric_limits<double>::infinity();  // when the reason of a loss must be known
  double tick_at_ = 0;
  bool was_stopped_ = false;
  double wakes_at_ = 0;     // when the system should have woken this process at the latest
  double followed_at_ = 0;  // when stops were last looked for
};

[[nodiscard]] WorkerEnd run_worker(WorkerCommand command, const WorkerLimits& limits, LineSink& sink,
                                   Interrupt* interrupt);

}  // namespace mpsbench::supervise
