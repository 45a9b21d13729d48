#include "supervise/front_link.hpp"

#include "base/clock.hpp"
#include "base/error.hpp"
#include "base/machine_code.hpp"
#include "supervise/program_end.hpp"

#include <signal.h>
#include <unistd.h>

#include <system_error>
#include <utility>
#include <vector>

namespace mpsbench::supervise {
namespace {

constexpr double kGoodbyeSeconds = 3;
constexpr const char* kWho = "the process that connects the ranks";

}  // namespace

FrontLink::FrontLink(const std::filesystem::path& worker, schema::RendezvousRequest request)
    : rank_(request.place.rank), ranks_(request.place.ranks) {
  ::signal(SIGPIPE, SIG_IGN);
  request.front_pid = ::getpid();
  const WorkerCommand command{worker, schema::to_line(schema::Request(std::move(request)))};
  try {
    process_ = std::make_unique<WorkerProcess>(command, *this);
  } catch (const std::system_error& error) {
    throw base::usage_error("cannot start " + worker.string() + ": " + base::start_problem(worker, error.code()));
  }
}

FrontLink::~FrontLink() {
  if (process_) process_->close_input();
  const double until = base::steady_seconds() + kGoodbyeSeconds;
  while (process_ && base::steady_seconds() < until) sleep(nullptr, until);
}

schema::MetEvent FrontLink::meet(Interrupt& interrupt) {
  while (process_ && !met_ && error_.empty() && interrupt.count() == 0) sleep(&interrupt, kForEver);
  if (met_) return *met_;
  if (interrupt.count() > 0)
    throw base::Error(base::ErrorKind::interrupted, "stopped while the ranks met; nothing was measured yet");
  throw base::usage_error(error_);
}

void FrontLink::send(const schema::FrontMessage& message) {
  if (process_) process_->send(schema::to_line(message));
}

std::optional<FrontNews> FrontLink::next() {
  if (news_.empty()) sleep(nullptr, 0);
  if (news_.empty()) return std::nullopt;
  FrontNews first = std::move(news_.front());
  news_.pop_front();
  return first;
}

std::optional<FrontNews> FrontLink::wait(Interrupt& interrupt, double until) {
  const int before = interrupt.count();
  while (news_.empty() && interrupt.count() == before && base::steady_seconds() < until) sleep(&interrupt, until);
  return next();
}

std::array<pollfd, WorkerProcess::kWatched> FrontLink::watched() const {
  if (process_) return process_->watched();
  return {{{-1, 0, 0}, {-1, 0, 0}, {-1, 0, 0}}};
}

void FrontLink::follow(std::span<const pollfd, WorkerProcess::kWatched> news) {
  if (!process_) return;
  process_->follow(news);
  if (!process_->has_ended()) return;
  const WorkerEnd end = process_->finish();
  process_.reset();
  if (error_.empty()) {
    error_ = describe_end(end.wait_status, kWho);
    if (error_.empty()) error_ = std::string(kWho) + " has ended";
    if (const std::string words = last_words(end.stderr_tail); !words.empty())
      error_ = with_cure(error_ + ": " + words);
  }
  // Rank 0 loses all others, and they lose rank 0.
  for (std::int64_t rank = rank_ == 0 ? 1 : 0; rank < (rank_ == 0 ? ranks_ : 1); ++rank)
    news_.push_back({rank, std::nullopt, error_});
}

bool FrontLink::on_line(const std::string& line) {
  try {
    take(schema::parse_event(line));
  } catch (const base::Error& error) {
    error_ = std::string(kWho) + " does not keep to the protocol: " + error.what();
    return false;
  }
  return true;
}

void FrontLink::take(schema::Event event) {
  if (auto* met = std::get_if<schema::MetEvent>(&event)) {
    met_ = std::move(*met);
  } else if (const auto* failure = std::get_if<schema::FailureEvent>(&event)) {
    error_ = failure->failure.message;
  } else if (const auto* message = std::get_if<schema::MessageEvent>(&event)) {
    news_.push_back({message->rank, message->message});
  } else if (const auto* lost = std::get_if<schema::LostEvent>(&event)) {
    news_.push_back({lost->rank, std::nullopt, lost->reason});
  }
}

// INTERRUPT may be null. News of child processes stay for others who wait for them, unless this waits.
void FrontLink::sleep(Interrupt* interrupt, double until) {
  const double seconds = until - base::steady_seconds();
  const auto own = watched();
  std::vector<pollfd> news(own.begin(), own.end());
  news.push_back({interrupt != nullptr ? interrupt->descriptor() : -1, POLLIN, 0});
  news.push_back({seconds > 0 ? child_news() : -1, POLLIN, 0});
  (void)::poll(news.data(), static_cast<nfds_t>(news.size()), poll_milliseconds(seconds));
  if (news.back().revents != 0) acknowledge_child_news();
  if (news[own.size()].revents != 0) interrupt->acknowledge();
  follow(std::span(news).first<WorkerProcess::kWatched>());
}

}  // namespace mpsbench::supervise
