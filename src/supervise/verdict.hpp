// What a worker said, how it ended, and which status its launch has then.
#pragma once

#include "schema/launch.hpp"
#include "schema/messages.hpp"
#include "supervise/worker_process.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::supervise {

struct ReceivedEvents {
  std::optional<schema::LibtorchInfo> libtorch;
  double load_seconds = 0;             // from the start to the hello
  std::optional<schema::Phase> phase;  // the one that the worker entered last
  schema::Launch so_far;               // the sum of the parts
  std::optional<schema::Launch> result;
  std::optional<schema::FailureEvent> failure;
  std::optional<schema::ProbeEvent> probe;
  std::string protocol_error;  // one line; empty if there was no error

  [[nodiscard]] bool verdict() const { return result || failure || probe; }
};

// Gets a worker's events while it runs.
using EventSink = std::function<void(const schema::Event&)>;

// Keeps the events of one worker and checks that they follow the protocol: first a hello, last one verdict,
// nothing after it.
class EventReceiver : public LineSink {
 public:
  // load_seconds counts from now. A worker whose LibTorch differs from LIBTORCH_VERSION is refused.
  explicit EventReceiver(EventSink on_event = {}, std::optional<std::string> libtorch_version = {});

  bool on_line(const std::string& line) override;
  void on_line_too_long() override;
  [[nodiscard]] bool reports_success() const override;
  [[nodiscard]] bool reports_lost_rank() const override;

  [[nodiscard]] const ReceivedEvents& received() const { return received_; }

 private:
  void take(schema::Event event);

  EventSink on_event_;
  std::optional<std::string> libtorch_version_;
  double started_at_;
  ReceivedEvents received_;
};

// The kind of failure of a worker that was stopped because another rank had failed.
inline constexpr const char* kPeerFailure = "peer";

// What the verdict depends on, apart from the worker's events and its end.
struct Circumstances {
  std::string worker;  // the program, for messages
  double timeout_seconds = 0;
  bool oom_kill_seen = false;      // the kernel counted an out-of-memory kill during the launch
  std::int64_t least_samples = 1;  // that a launch needs if it is cut short
};

[[nodiscard]] schema::Launch failed_launch(schema::Status status, schema::Failure failure);

// Makes the launch's record: the worker's own verdict if there is one; otherwise its end decides. If a worker
// fails, what it has measured is kept, but the launch is not `ok`.
[[nodiscard]] schema::Launch conclude(const ReceivedEvents& received, const WorkerEnd& end,
                                      const Circumstances& circumstances);

// What is known of one rank after its end.
struct RankEnd {
  schema::DeviceId device;
  ReceivedEvents received;
  WorkerEnd end;
};

// Returns rank 0's record. With several RANKS, the record also says what each measured and how it ended, and
// its status is that of the first rank that failed (the lower number if two failed at the same time). A rank
// that was stopped because another failed does not count as failed.
[[nodiscard]] schema::Launch conclude_group(const std::vector<RankEnd>& ranks, const Circumstances& circumstances);

}  // namespace mpsbench::supervise
