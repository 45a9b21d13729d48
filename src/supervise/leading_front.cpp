#include "supervise/leading_front.hpp"

#include "base/clock.hpp"
#include "supervise/launch_group.hpp"
#include "supervise/verdict.hpp"

#include <algorithm>
#include <iterator>
#include <utility>
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

bool was_stopped(const schema::Launch& launch) {
  return launch.failure && launch.failure->kind == kPeerFailure;
}

RankEnd answered_end(schema::LaunchAnswer answer) {
  RankEnd ended{.device = answer.device, .received = {}, .end = {}};
  ended.received.libtorch.emplace();
  if (was_stopped(answer.launch)) ended.end.stop = Stop::peer;
  ended.received.result = std::move(answer.launch);
  ended.end.over_seconds = base::steady_seconds();
  return ended;
}

}  // namespace

// The other ranks of a launch.
class LeadingFront::LedLaunch final : public OtherRanks {
 public:
  LedLaunch(LeadingFront& front, const schema::CaseSpec& spec, const LaunchLimits& limits, Interrupt& interrupt)
      : front_(front),
        device_(spec.device),
        ranks_(spec.ranks),
        number_(front.orders_),
        kill_grace_seconds_(limits.kill_grace_seconds),
        until_(base::steady_seconds() + limits.timeout_seconds + limits.kill_grace_seconds + kAnswerSeconds),
        interrupt_(interrupt) {}

  [[nodiscard]] std::array<pollfd, WorkerProcess::kWatched> watched() const override { return front_.link_.watched(); }

  void follow(std::span<const pollfd, WorkerProcess::kWatched> news) override {
    front_.link_.follow(news);
    while (auto one = front_.link_.next()) take(std::move(*one));
    stop_if_due();
  }

  [[nodiscard]] bool wants_end() const override { return is_stopped_; }

  [[nodiscard]] std::vector<RankEnd> finish(const schema::Launch& here) override {
    heed(here);
    // Limits of the others do not count time in which they were stopped.
    until_ = std::max(until_, base::steady_seconds() + kill_grace_seconds_ + kAnswerSeconds);
    while (std::ssize(ends_) < ranks_ - 1 && base::steady_seconds() < until_) {
      if (interrupt_.count() > 0) stop();
      if (auto news = front_.link_.wait(interrupt_, std::min(until_, reason_at_))) take(std::move(*news));
      stop_if_due();
    }
    std::vector<RankEnd> all;
    for (std::int64_t rank = 1; rank < ranks_; ++rank) {
      const auto end = ends_.find(rank);
      all.push_back(end == ends_.end() ? lost_end(device_, "it does not answer") : std::move(end->second));
    }
    return all;
  }

 private:
  void take(FrontNews news) {
    if (!news.message) {
      front_.lost_[news.rank] = news.loss;
      if (news.rank >= ranks_ || ends_.contains(news.rank)) return;
      ends_.emplace(news.rank, lost_end(device_, news.loss));
      return stop();
    }
    auto* answer = std::get_if<schema::LaunchAnswer>(&*news.message);
    if (answer == nullptr || answer->number != number_) return;
    heed(answer->launch);
    ends_.emplace(news.rank, answered_end(std::move(*answer)));
  }

  // Lets the others end if the launch failed on a rank. If that only lost another one, there is time to learn
  // why.
  void heed(const schema::Launch& launch) {
    if (launch.status == schema::Status::ok) return;
    if (!schema::is_lost_rank(launch.failure)) return stop();
    reason_at_ = std::min(reason_at_, base::steady_seconds() + kReasonSeconds);
  }

  void stop_if_due() {
    if (base::steady_seconds() >= reason_at_) stop();
  }

  void stop() {
    reason_at_ = FrontLink::kForEver;
    if (std::exchange(is_stopped_, true)) return;
    front_.link_.send(schema::StopOrder{number_});
    until_ = std::min(until_, base::steady_seconds() + kill_grace_seconds_ + kAnswerSeconds);
  }

  LeadingFront& front_;
  schema::DeviceId device_;
  std::int64_t ranks_;
  std::int64_t number_;
  double kill_grace_seconds_;
  double until_;                            // on the steady clock: when those that have not answered are lost
  double reason_at_ = FrontLink::kForEver;  // when the reason of a loss must be known
  Interrupt& interrupt_;
  bool is_stopped_ = false;
  std::map<std::int64_t, RankEnd> ends_;  // by rank
};

LaunchOutcome LeadingFront::run_launch(const std::filesystem::path& worker, schema::LaunchRequest request,
                                       const LaunchLimits& limits, LaunchListener& listener, Interrupt& interrupt,
                                       const std::optional<std::string>& libtorch_version) {
  if (request.spec.ranks == 1)
    return supervise::run_launch(worker, request, limits, listener, interrupt, libtorch_version);
  note_losses();
  if (!lost_.empty() && lost_.begin()->first < request.spec.ranks) {
    LaunchOutcome outcome;
    outcome.launch.status = schema::Status::crashed;
    outcome.launch.started_at = base::utc_timestamp();
    const auto& [rank, reason] = *lost_.begin();
    outcome.launch.failure = {"lost", "rank " + std::to_string(rank) + ": " + lost_text(reason), ""};
    return outcome;
  }
  const schema::DeviceId device = own_device_(request.spec.device.kind);
  ++orders_;
  schema::GroupPlace& group = request.group ? *request.group : request.group.emplace();
  group.ranks = request.spec.ranks;
  group.address = place_.address;
  group.port = place_.port;
  group.prefix = place_.prefix.value() + "/launch/" + std::to_string(orders_);
  LedLaunch others(*this, request.spec, limits, interrupt);
  link_.send(schema::LaunchOrder{orders_, limits.timeout_seconds, request});
  LaunchOutcome outcome = run_ranks(worker, {{request_in_group(std::move(request), 0, device)}}, limits, listener,
                                    interrupt, libtorch_version, {}, &others);
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

}  // namespace mpsbench::supervise
