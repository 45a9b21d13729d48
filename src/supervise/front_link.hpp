// The connection of this front with those of the other ranks: a worker program that lives as long as the run
// and passes messages on, because LibTorch has the store through which they meet.
#pragma once

#include "schema/messages.hpp"
#include "supervise/interrupt.hpp"
#include "supervise/worker_process.hpp"

#include <poll.h>

#include <array>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace mpsbench::supervise {

// Returns the device of a kind that the worker of this front uses.
using OwnDevice = std::function<schema::DeviceId(schema::DeviceKind)>;

// What a front hears of another one.
struct FrontNews {
  std::int64_t rank = 0;                        // of the other
  std::optional<schema::FrontMessage> message;  // null: the other is lost
  std::string loss{};                           // why
};

class FrontLink final : public LineSink {
 public:
  static constexpr double kForEver = std::numeric_limits<double>::infinity();

  // Starts the worker program, which meets the others. Fills in the request's front_pid. Call this in the
  // main thread. Throws Error(usage).
  FrontLink(const std::filesystem::path& worker, schema::RendezvousRequest request);
  // Waits until what was sent has left this machine, but not for long.
  ~FrontLink() override;
  FrontLink(const FrontLink&) = delete;
  FrontLink& operator=(const FrontLink&) = delete;

  [[nodiscard]] std::int64_t rank() const { return rank_; }

  // Waits for the meeting. Throws Error(usage) if this front does not reach the others, and Error(interrupted).
  [[nodiscard]] schema::MetEvent meet(Interrupt& interrupt);

  // Rank 0's messages go to all others, theirs to rank 0.
  void send(const schema::FrontMessage& message);

  // Returns the next news that have arrived, or nullopt if there are none.
  [[nodiscard]] std::optional<FrontNews> next();
  // Lets next() return NEWS first.
  void put_back(const std::deque<FrontNews>& news) { news_.insert(news_.begin(), news.begin(), news.end()); }
  // Sleeps until there are news, but not beyond UNTIL on the steady clock. Returns nullopt then, and after each signal.
  [[nodiscard]] std::optional<FrontNews> wait(Interrupt& interrupt, double until = kForEver);

  // For event loops, like those of WorkerProcess. They add to the news.
  [[nodiscard]] std::array<pollfd, WorkerProcess::kWatched> watched() const;
  void follow(std::span<const pollfd, WorkerProcess::kWatched> news);

 private:
  bool on_line(const std::string& line) override;
  void on_line_too_long() override { error_ = "it sent a line that is too long"; }
  void take(schema::Event event);
  void sleep(Interrupt* interrupt, double until);

  std::int64_t rank_;
  std::int64_t ranks_;
  std::optional<schema::MetEvent> met_;
  std::string error_;  // why there was no meeting, or why the worker program was stopped
  std::deque<FrontNews> news_;
  std::unique_ptr<WorkerProcess> process_;  // null after its end
};

}  // namespace mpsbench::supervise
