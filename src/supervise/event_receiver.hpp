// Keeps the events of one worker and checks that they follow the protocol: first a hello, last one verdict,
// nothing after it.
#pragma once

#include "schema/messages.hpp"
#include "supervise/launch_runner.hpp"
#include "supervise/worker_process.hpp"

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

class EventReceiver : public LineSink {
 public:
  // load_seconds counts from now. A worker whose LibTorch differs from LIBTORCH_VERSION is refused.
  explicit EventReceiver(LaunchListener& listener, std::optional<std::string> libtorch_version = {});

  bool on_line(const std::string& line) override;
  void on_line_too_long() override;
  void on_tick() override { listener_.on_tick(); }
  [[nodiscard]] bool reports_success() const override;
  [[nodiscard]] bool reports_lost_rank() const override;

  [[nodiscard]] const ReceivedEvents& received() const { return received_; }

 private:
  void take(schema::Event event);

  LaunchListener& listener_;
  std::optional<std::string> libtorch_version_;
  double started_at_;
  ReceivedEvents received_;
};

}  // namespace mpsbench::supervise
