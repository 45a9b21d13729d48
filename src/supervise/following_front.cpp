#include "supervise/following_front.hpp"

#include "base/clock.hpp"
#include "base/error.hpp"
#include "supervise/launch_group.hpp"
#include "supervise/launch_runner.hpp"
#include "supervise/verdict.hpp"

#include <algorithm>
#include <deque>
#include <utility>
#include <variant>
#include <vector>

namespace mpsbench::supervise {
namespace {

// After a signal, which rank 0 usually gets, too, the last order comes this soon.
constexpr double kLastOrderSeconds = 15;

// Listens to rank 0 while the worker of a launch runs.
class OrderedLaunch final : public OtherRanks {
 public:
  OrderedLaunch(FrontLink& link, std::int64_t number) : link_(link), number_(number) {}

  [[nodiscard]] std::array<pollfd, WorkerProcess::kWatched> watched() const override { return link_.watched(); }

  void follow(std::span<const pollfd, WorkerProcess::kWatched> news) override {
    link_.follow(news);
    while (auto one = link_.next()) {
      const auto* stop = one->message ? std::get_if<schema::StopOrder>(&*one->message) : nullptr;
      wants_end_ = wants_end_ || stop == nullptr || stop->number >= number_;
      if (stop == nullptr) later_.push_back(std::move(*one));  // the run ends, or rank 0 is lost
    }
  }

  [[nodiscard]] bool wants_end() const override { return wants_end_; }
  [[nodiscard]] std::vector<RankEnd> finish(const schema::Launch& /*here*/) override { return {}; }

  // Returns the news that did not concern this launch.
  [[nodiscard]] std::deque<FrontNews> later() { return std::move(later_); }

 private:
  FrontLink& link_;
  std::int64_t number_;
  bool wants_end_ = false;
  std::deque<FrontNews> later_;
};

class Follower {
 public:
  Follower(FrontLink& link, const std::filesystem::path& worker, std::int64_t rank, const OwnDevice& own_device,
           Interrupt& interrupt)
      : link_(link), worker_(worker), rank_(rank), own_device_(own_device), interrupt_(interrupt) {}

  std::int64_t run() {
    while (true) {
      const FrontNews news = next();
      if (!news.message) throw base::Error(base::ErrorKind::incomplete, lost_text(news.loss));
      if (const auto* end = std::get_if<schema::EndOrder>(&*news.message)) {
        link_.send(schema::EndAnswer{end->exit_code});
        return end->exit_code;
      }
      if (const auto* order = std::get_if<schema::LaunchOrder>(&*news.message)) obey(*order);
    }
  }

 private:
  // Waits for news.
  FrontNews next() {
    double until = FrontLink::kForEver;
    while (true) {
      if (interrupt_.count() > 0) until = std::min(until, base::steady_seconds() + kLastOrderSeconds);
      if (interrupt_.count() > 1 || base::steady_seconds() >= until)
        throw base::Error(base::ErrorKind::interrupted, "rank " + std::to_string(rank_) + " was stopped");
      if (!waiting_.empty()) {
        FrontNews first = std::move(waiting_.front());
        waiting_.pop_front();
        return first;
      }
      if (auto news = link_.wait(interrupt_, until)) return std::move(*news);
    }
  }

  void obey(const schema::LaunchOrder& order) {
    schema::LaunchRequest request = order.request;
    if (rank_ >= request.spec.ranks) return;
    const schema::DeviceId device = own_device_(request.spec.device.kind);
    request = request_in_group(std::move(request), rank_, device);
    LaunchListener nobody;
    OrderedLaunch others(link_, order.number);
    LaunchOutcome outcome =
        run_ranks(worker_, {{std::move(request)}}, {order.timeout_seconds}, nobody, interrupt_, {}, {}, &others);
    for (FrontNews& news : others.later()) waiting_.push_back(std::move(news));
    link_.send(schema::LaunchAnswer{order.number, device, std::move(outcome.launch)});
  }

  [[nodiscard]] std::string lost_text(const std::string& reason) const {
    return "rank " + std::to_string(rank_) + " lost rank 0, which has the report: " + reason;
  }

  FrontLink& link_;
  const std::filesystem::path& worker_;
  std::int64_t rank_;
  const OwnDevice& own_device_;
  Interrupt& interrupt_;
  std::deque<FrontNews> waiting_;  // heard during a launch
};

}  // namespace

std::int64_t follow_orders(FrontLink& link, const std::filesystem::path& worker, std::int64_t rank,
                           const OwnDevice& own_device, Interrupt& interrupt) {
  return Follower(link, worker, rank, own_device, interrupt).run();
}

}  // namespace mpsbench::supervise
