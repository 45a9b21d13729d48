#include "supervise/front_orders.hpp"

#include "base/clock.hpp"
#include "base/error.hpp"
#include "supervise/verdict.hpp"

#include <algorithm>
#include <deque>
#include <iterator>
#include <variant>
#include <vector>

namespace mpsbench::supervise {
namespace {

// A rank that has not answered so long after the end of its worker is lost. A silent front is lost earlier.
constexpr double kAnswerSeconds = 15;
constexpr double kEndSeconds = 5;

std::string lost_text(const std::string& reason) {
  return "its mpsbench is lost: " + reason;
}

RankEnd lost_end(const schema::DeviceId& device, const std::string& reason) {
  RankEnd lost{.device = device, .received = {}, .end = {}};
  lost.received.libtorch.emplace();
  lost.received.failure = {schema::Status::crashed, {"lost", lost_text(reason), ""}};
  lost.end.over_seconds = base::steady_seconds();
  return lost;
}

RankEnd answered_end(schema::LaunchAnswer answer) {
  RankEnd ended{.device = answer.device, .received = {}, .end = {}};
  ended.received.libtorch.emplace();
  const std::optional<schema::Failure>& failure = answer.launch.failure;
  if (failure && failure->kind == kPeerFailure) ended.end.stop = Stop::peer;
  ended.received.result = std::move(answer.launch);
  ended.end.over_seconds = base::steady_seconds();
  return ended;
}

// After a signal, which rank 0 usually gets, too, the last order comes this soon.
constexpr double kLastOrderSeconds = 15;

// Listens to rank 0 while the worker of a launch runs.
class OrderedLaunch final : public OtherRanks {
 public:
  OrderedLaunch(FrontLink& link, std::int64_t number) : OtherRanks(link), number_(number) {}

  void take(FrontNews news) override {
    const auto* stop = news.message ? std::get_if<schema::StopOrder>(&*news.message) : nullptr;
    wants_end_ = wants_end_ || stop == nullptr || stop->number >= number_;
    if (stop == nullptr) later_.push_back(std::move(news));  // the run ends, or rank 0 is lost
  }
  [[nodiscard]] bool wants_end() override { return wants_end_; }
  [[nodiscard]] std::vector<RankEnd> finish(const schema::Launch& /*here*/) override { return {}; }

  // Returns the news that did not concern this launch.
  [[nodiscard]] const std::deque<FrontNews>& later() const { return later_; }

 private:
  std::int64_t number_;
  bool wants_end_ = false;
  std::deque<FrontNews> later_;
};

// Waits for news of rank 0.
FrontNews next_news(FrontLink& link, Interrupt& interrupt) {
  double until = FrontLink::kForEver;
  while (true) {
    if (interrupt.count() > 0) until = std::min(until, base::steady_seconds() + kLastOrderSeconds);
    if (interrupt.count() > 1 || base::steady_seconds() >= until)
      throw base::Error(base::ErrorKind::interrupted, "rank " + std::to_string(link.rank()) + " was stopped");
    if (auto news = link.wait(interrupt, until)) return *std::move(news);
  }
}

void obey(const schema::LaunchOrder& order, FrontLink& link, const std::filesystem::path& worker,
          const OwnDevice& own_device, Interrupt& interrupt) {
  schema::LaunchRequest request = order.request;
  if (link.rank() >= request.spec.ranks) return;
  const schema::DeviceId device = own_device(request.spec.device.kind);
  request = request_in_group(std::move(request), link.rank(), device);
  OrderedLaunch others(link, order.number);
  LaunchOutcome outcome = run_ranks({worker, {order.timeout_seconds}, interrupt}, {std::move(request)}, &others);
  link.put_back(others.later());
  link.send(schema::LaunchAnswer{order.number, device, std::move(outcome.launch)});
}

}  // namespace

class LeadingFront::LedLaunch final : public OtherRanks {
 public:
  LedLaunch(LeadingFront& front, const schema::CaseSpec& spec, const LaunchSetting& setting)
      : OtherRanks(front.link_),
        front_(front),
        device_(spec.device),
        ranks_(spec.ranks),
        number_(front.orders_),
        answer_seconds_(setting.limits.kill_grace_seconds + kAnswerSeconds),
        until_(base::steady_seconds() + setting.limits.timeout_seconds + answer_seconds_),
        interrupt_(setting.interrupt) {}

  void take(FrontNews news) override {
    if (!news.message) {
      front_.lost_[news.rank] = news.loss;
      if (news.rank >= ranks_ || ends_.contains(news.rank)) return;
      ends_.emplace(news.rank, lost_end(device_, news.loss));
      return stop();
    }
    auto* answer = std::get_if<schema::LaunchAnswer>(&*news.message);
    if (answer == nullptr || answer->number != number_) return;
    stop_if_failed(answer->launch);
    ends_.emplace(news.rank, answered_end(std::move(*answer)));
  }

  [[nodiscard]] bool wants_end() override {
    if (base::steady_seconds() >= reason_at_) stop();
    return is_stopped_;
  }

  [[nodiscard]] std::vector<RankEnd> finish(const schema::Launch& here) override {
    stop_if_failed(here);
    // Limits of the others do not count time in which they were stopped.
    until_ = std::max(until_, base::steady_seconds() + answer_seconds_);
    while (std::ssize(ends_) < ranks_ - 1 && base::steady_seconds() < until_) {
      if (interrupt_.count() > 0 || base::steady_seconds() >= reason_at_) stop();
      if (auto news = front_.link_.wait(interrupt_, std::min(until_, reason_at_))) take(std::move(*news));
    }
    std::vector<RankEnd> all;
    for (std::int64_t rank = 1; rank < ranks_; ++rank) {
      const auto end = ends_.find(rank);
      all.push_back(end == ends_.end() ? lost_end(device_, "it does not answer") : std::move(end->second));
    }
    return all;
  }

 private:
  // Lets the others end if the launch failed on a rank. If that only lost another one, there is time to learn why.
  void stop_if_failed(const schema::Launch& launch) {
    if (launch.status == schema::Status::ok) return;
    if (!schema::is_lost_rank(launch.failure)) return stop();
    reason_at_ = std::min(reason_at_, base::steady_seconds() + kReasonSeconds);
  }

  void stop() {
    reason_at_ = FrontLink::kForEver;
    if (std::exchange(is_stopped_, true)) return;
    front_.link_.send(schema::StopOrder{number_});
    until_ = std::min(until_, base::steady_seconds() + answer_seconds_);
  }

  LeadingFront& front_;
  schema::DeviceId device_;
  std::int64_t ranks_;
  std::int64_t number_;
  double answer_seconds_;                   // that an answer may take after a worker was asked to end
  double until_;                            // on the steady clock: when those that have not answered are lost
  double reason_at_ = FrontLink::kForEver;  // when the reason of a loss must be known
  Interrupt& interrupt_;
  bool is_stopped_ = false;
  std::map<std::int64_t, RankEnd> ends_;  // by rank
};

LaunchOutcome LeadingFront::run_launch(const LaunchSetting& setting, schema::LaunchRequest request) {
  if (request.spec.ranks == 1) return supervise::run_launch(setting, request);
  note_losses();
  if (!lost_.empty() && lost_.begin()->first < request.spec.ranks) {
    const auto& [rank, reason] = *lost_.begin();
    const std::string message = "rank " + std::to_string(rank) + ": " + lost_text(reason);
    return {failed_launch(schema::Status::crashed, {"lost", message, ""}), std::nullopt};
  }
  const schema::DeviceId device = own_device_(request.spec.device.kind);
  ++orders_;
  schema::GroupPlace& group = request.group ? *request.group : request.group.emplace();
  group.ranks = request.spec.ranks;
  group.address = place_.address;
  group.port = place_.port;
  group.prefix = place_.prefix.value() + "/launch/" + std::to_string(orders_);
  LedLaunch others(*this, request.spec, setting);
  link_.send(schema::LaunchOrder{orders_, setting.limits.timeout_seconds, request});
  LaunchOutcome outcome = run_ranks(setting, {request_in_group(std::move(request), 0, device)}, &others);
  for (schema::RankResult& rank : outcome.launch.ranks) {
    if (const auto host = hosts_.find(rank.rank); host != hosts_.end()) rank.host = host->second;
  }
  return outcome;
}

void LeadingFront::end(std::int64_t exit_code, Interrupt& interrupt) {
  note_losses();
  link_.send(schema::EndOrder{exit_code});
  const double until = base::steady_seconds() + kEndSeconds;
  std::int64_t left = others_ - std::ssize(lost_);
  while (left > 0 && base::steady_seconds() < until) {
    const auto news = link_.wait(interrupt, until);
    if (news && (!news->message || std::holds_alternative<schema::EndAnswer>(*news->message))) --left;
  }
}

void LeadingFront::note_losses() {
  while (const auto news = link_.next()) {
    if (!news->message) lost_[news->rank] = news->loss;
  }
}

std::int64_t follow_orders(FrontLink& link, const std::filesystem::path& worker, const OwnDevice& own_device,
                           Interrupt& interrupt) {
  while (true) {
    const FrontNews news = next_news(link, interrupt);
    if (!news.message)
      throw base::Error(base::ErrorKind::incomplete,
                        "rank " + std::to_string(link.rank()) + " lost rank 0, which has the report: " + news.loss);
    if (const auto* end = std::get_if<schema::EndOrder>(&*news.message)) {
      link.send(schema::EndAnswer{end->exit_code});
      return end->exit_code;
    }
    if (const auto* order = std::get_if<schema::LaunchOrder>(&*news.message))
      obey(*order, link, worker, own_device, interrupt);
  }
}

}  // namespace mpsbench::supervise
