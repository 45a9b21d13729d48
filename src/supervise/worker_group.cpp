#include "supervise/worker_group.hpp"

#include "base/clock.hpp"
#include "base/log.hpp"
#include "base/machine_code.hpp"
#include "supervise/front_link.hpp"

#include <signal.h>

#include <algorithm>
#include <string>
#include <system_error>
#include <utility>

namespace mpsbench::supervise {
namespace {

constexpr double kTickSeconds = 1;  // cheap, and short enough that no energy counter wraps twice
// A process that wakes up so much too late was stopped, or its whole machine was.
constexpr double kLateSeconds = 0.5;
constexpr double kToldTicks = 3;  // after so many the user hears of a stopped worker
constexpr double kNever = std::numeric_limits<double>::infinity();

}  // namespace

void WorkerGroup::add(WorkerCommand command, LineSink& sink) {
  members_.push_back({std::move(command), &sink, nullptr, {}});
}

std::vector<WorkerEnd> WorkerGroup::run() {
  ::signal(SIGPIPE, SIG_IGN);  // otherwise writing to a dead worker would kill this process
  start_all();
  while (std::ranges::any_of(members_, [](const Member& one) { return one.process != nullptr; })) {
    wait_for_news();
    const int signals = interrupt_ != nullptr ? interrupt_->count() : 0;
    if (signals > 0) stop_all(Stop::interrupted);
    if (signals > 1) kill_all();
    follow_deadline();
    follow_clock();
  }
  std::vector<WorkerEnd> ends;
  for (Member& member : members_) ends.push_back(std::move(member.end));
  return ends;
}

void WorkerGroup::start_all() {
  for (Member& member : members_) {
    if (stopping_) {
      member.end.stop = Stop::peer;
      continue;
    }
    try {
      member.process = std::make_unique<WorkerProcess>(member.command, *member.sink);
    } catch (const std::system_error& error) {
      // Without a call's name, the program itself did not start.
      const bool is_program = error.what() == error.code().message();
      member.end.spawn_error = is_program ? base::start_problem(member.command.program, error.code()) : error.what();
      member.end.over_seconds = base::steady_seconds();
      stop_all(Stop::peer);
    }
  }
  const double now = base::steady_seconds();
  if (!stopping_) next_at_ = now + limits_.timeout_seconds;
  tick_at_ = now + kTickSeconds;
  followed_at_ = now;
}

// Sleeps until something happens, and handles it.
void WorkerGroup::wait_for_news() {
  constexpr std::size_t kWatched = WorkerProcess::kWatched;
  std::vector<pollfd> news{{interrupt_ != nullptr ? interrupt_->descriptor() : -1, POLLIN, 0},
                           {child_news(), POLLIN, 0}};
  const auto watch = [&news](const std::array<pollfd, kWatched>& watched) {
    news.insert(news.end(), watched.begin(), watched.end());
  };
  for (const Member& member : members_) {
    if (member.process) watch(member.process->watched());
  }
  if (others_ != nullptr) watch(others_->link().watched());
  const double now = base::steady_seconds();
  wakes_at_ = std::max(now, std::min({next_at_, reason_at_, tick_at_}));
  const int timeout = poll_milliseconds(wakes_at_ - now);
  (void)::poll(news.data(), static_cast<nfds_t>(news.size()), timeout);
  acknowledge_child_news();
  follow_stops();  // first, because what follows sets new limits
  if (news.front().revents != 0) interrupt_->acknowledge();
  std::span<const pollfd> rest = std::span(news).subspan(2);
  bool bad = false;
  for (Member& member : members_) {
    if (!member.process) continue;
    const auto own = rest.first<kWatched>();
    rest = rest.subspan(kWatched);
    member.process->follow(own);
    bad = bad || member.process->is_refused();
    if (!member.process->has_ended()) continue;
    member.end = member.process->finish();
    member.process.reset();
    const WorkerEnd& end = member.end;
    if (end.stop == Stop::none && end.wait_status == 0 && !end.half_line && member.sink->reports_success()) continue;
    if (member.sink->reports_lost_rank()) {
      reason_at_ = std::min(reason_at_, end.over_seconds + kReasonSeconds);
    } else {
      bad = true;
    }
  }
  if (others_ != nullptr) {
    others_->link().follow(rest.first<kWatched>());
    while (auto one = others_->link().next()) others_->take(std::move(*one));
    bad = bad || others_->wants_end();
  }
  if (bad) stop_all(Stop::peer);
}

void WorkerGroup::follow_stops() {
  const double now = base::steady_seconds();
  bool stood_still = false;  // since the last look: a stop may be noticed late
  for (Member& member : members_) stood_still = (member.process && member.process->follow_stops()) || stood_still;
  const double late = now - wakes_at_;
  const double lost = stood_still ? now - followed_at_ : late > kLateSeconds ? late : 0;
  followed_at_ = now;
  was_stopped_ = was_stopped_ || stood_still || lost > 0;
  if (!stopping_) next_at_ += lost;
  reason_at_ += lost;
}

void WorkerGroup::follow_deadline() {
  if (base::steady_seconds() >= reason_at_) {
    stop_all(Stop::peer);
    reason_at_ = kNever;
  }
  if (base::steady_seconds() < next_at_) return;
  if (stopping_) {
    kill_all();
  } else {
    stop_all(Stop::timeout);
  }
}

void WorkerGroup::follow_clock() {
  if (base::steady_seconds() < tick_at_) return;
  for (Member& member : members_) {
    if (member.process) member.process->tick();
  }
  follow_frozen();
  tick_at_ = base::steady_seconds() + kTickSeconds;
}

// A worker of its own may be stopped for as long as its user likes, who hears of it once. Others would wait
// for one of several, so that is ended. Time in which this process was stopped, too, does not count.
void WorkerGroup::follow_frozen() {
  const bool is_alone = members_.size() == 1 && others_ == nullptr;
  for (Member& member : members_) {
    if (!member.process) continue;
    member.stopped_seconds = member.process->is_stopped() ? member.stopped_seconds + kTickSeconds : 0;
    if (member.stopped_seconds == kToldTicks * kTickSeconds && is_alone) {
      const std::string number = std::to_string(member.process->pid());
      base::log::warn("a signal has stopped the worker (process " + number + "); kill -CONT " + number +
                      " lets it go on");
    }
    if (is_alone || member.stopped_seconds < limits_.frozen_seconds) continue;
    member.process->stop(Stop::frozen);
    stop_all(Stop::peer);
  }
}

void WorkerGroup::stop_all(Stop why) {
  if (stopping_) return;
  stopping_ = true;
  for (Member& member : members_) {
    if (member.process) member.process->stop(why);
  }
  next_at_ = base::steady_seconds() + limits_.kill_grace_seconds;
}

void WorkerGroup::kill_all() {
  for (Member& member : members_) {
    if (member.process) member.process->kill();
  }
  next_at_ = kNever;
}

WorkerEnd run_worker(WorkerCommand command, const WorkerLimits& limits, LineSink& sink, Interrupt* interrupt) {
  WorkerGroup group(limits, interrupt);
  group.add(std::move(command), sink);
  return std::move(group.run().front());
}

}  // namespace mpsbench::supervise
