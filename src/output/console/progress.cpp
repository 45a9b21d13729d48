#include "output/console/progress.hpp"

#include "base/units.hpp"
#include "output/text/cases.hpp"
#include "output/text/figures.hpp"
#include "output/text/text.hpp"
#include "stats/interval.hpp"
#include "stats/summary.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace mpsbench::output {

namespace {

std::string outcome(const schema::Launch& launch) {
  if (launch.status != schema::Status::ok) return failure_words(launch.status, launch.failure);
  const auto median = stats::median(launch.samples_seconds);
  if (!median) return "done";
  const auto found = stats::median_interval(launch.samples_seconds);
  return with_interval(*median, found ? std::optional(schema::Interval{found->low, found->high}) : std::nullopt);
}

}  // namespace

TimeLeft::TimeLeft(const std::vector<schema::PlannedCase>& plan) {
  for (const schema::PlannedCase& planned : plan) {
    CaseTime& entry = cases_[planned.id];
    entry.budget_seconds = measuring_limit_seconds(planned);
    entry.cooldown_seconds = planned.cooldown_seconds;
    entry.counted_work = planned.spec.epochs || planned.spec.iterations;
    entry.left += planned.repeats;
  }
}

void TimeLeft::expect(const std::string& case_id, double seconds) {
  if (const auto found = cases_.find(case_id); found != cases_.end()) found->second.estimated_seconds = seconds;
}

bool TimeLeft::is_rough() const {
  return std::any_of(cases_.begin(), cases_.end(), [](const auto& one) {
    return one.second.left > 0 && one.second.good == 0 && one.second.estimated_seconds;
  });
}

void TimeLeft::finished(const std::string& case_id, const schema::Launch& launch) {
  const auto found = cases_.find(case_id);
  if (found == cases_.end()) return;
  CaseTime& entry = found->second;
  entry.left = std::max<std::int64_t>(entry.left - 1, 0);
  if (launch.status != schema::Status::ok) return;
  ++entry.good;
  entry.good_seconds += launch.wall_seconds;
  const schema::SetupSeconds setup = launch.setup_seconds.value_or(schema::SetupSeconds{});
  const double setup_seconds = setup.load + setup.device + setup.model + setup.data;
  ++good_;
  setup_seconds_ += setup_seconds;
  if (entry.counted_work) return;  // their budget is the timeout, which says nothing about other cases
  used_seconds_ += std::max(launch.wall_seconds - setup_seconds, 0.0);
  offered_seconds_ += entry.budget_seconds;
}

double TimeLeft::expected(const CaseTime& entry) const {
  if (entry.good > 0) return entry.cooldown_seconds + entry.good_seconds / static_cast<double>(entry.good);
  const double setup = good_ > 0 ? setup_seconds_ / static_cast<double>(good_) : 0;
  if (entry.estimated_seconds) return entry.cooldown_seconds + setup + *entry.estimated_seconds;
  // A launch may stop long before its budget is used. The best guess is the share of their budgets that
  // others used.
  const double share = offered_seconds_ > 0 ? used_seconds_ / offered_seconds_ : 1;
  return entry.cooldown_seconds + setup + share * entry.budget_seconds;
}

double TimeLeft::seconds(const std::string& case_id, double running_seconds) const {
  double total = 0;
  for (const auto& [id, entry] : cases_) {
    if (entry.left == 0) continue;
    const double one = expected(entry);
    total += one * static_cast<double>(entry.left);
    if (id == case_id) total -= std::min(one, running_seconds);
  }
  return total;
}

void StatusLine::show(const std::string& text) {
  // Leave the last cell free, because some terminals wrap as soon as it is filled.
  const std::size_t cells = width_();
  const std::size_t free = cells > 0 ? cells - 1 : 0;
  const std::string line = truncate(text, free);
  write_("\r" + pad_right(line, std::min(shown_cells_, free)));
  shown_cells_ = display_width(line);
}

void StatusLine::clear() {
  if (shown_cells_ == 0) return;
  write_("\r" + std::string(shown_cells_, ' ') + "\r");
  shown_cells_ = 0;
}

Progress::Progress(const std::vector<schema::PlannedCase>& plan, Style style, Write write, Clock clock, Width width)
    : style_(style),
      write_(std::move(write)),
      clock_(std::move(clock)),
      line_(write_, std::move(width)),
      time_left_(plan) {
  for (const schema::PlannedCase& planned : plan) {
    plan_[planned.id] = planned;
    launches_ += planned.repeats;
  }
}

void Progress::resume(const std::map<std::string, std::vector<schema::Launch>>& finished) {
  for (const auto& [case_id, launches] : finished) {
    for (const schema::Launch& launch : launches) {
      time_left_.finished(case_id, launch);
      ++finished_;
    }
  }
}

void Progress::launch_started(const std::string& case_id, std::int64_t index) {
  case_id_ = case_id;
  index_ = index;
  started_at_ = clock_();
  phase_.reset();
  figures_.reset();
  draw();
}

void Progress::update(const schema::PhaseEvent& event) {
  phase_ = event.phase;
  draw();
}

void Progress::update(const schema::ProgressEvent& event) {
  figures_ = event;
  draw();
}

void Progress::launch_finished(const std::string& case_id, const schema::Launch& launch) {
  const std::string head = label(case_id, launch.index);
  time_left_.finished(case_id, launch);
  ++finished_;
  if (style_ == Style::plain) write_(printable(head + " · " + outcome(launch) + left_text("", 0)) + "\n");
}

void Progress::draw() {
  if (style_ != Style::line) return;
  std::string line = label(case_id_, index_) + " · ";
  if (figures_ && figures_->samples > 0) {
    line += base::format_duration(figures_->step_seconds);
    if (figures_->noise) line += " " + format_noise(*figures_->noise);
    if (figures_->loss) line += fmt::format(" · loss {:.4g}", *figures_->loss);
  } else {
    line += phase_ ? row_of(*phase_).help : "starting";
  }
  line += left_text(case_id_, clock_() - started_at_);
  line_.show(line);
}

std::string Progress::left_text(const std::string& case_id, double running_seconds) const {
  const double seconds = end_ ? std::max(*end_ - clock_(), 0.0) : time_left_.seconds(case_id, running_seconds);
  if (case_id.empty() && seconds <= 0) return "";
  const double whole = std::round(seconds);
  const std::string time = whole < 60 ? fmt::format("{:.0f} s", whole) : base::format_duration(whole);
  if (end_) return " · up to " + time + " left";
  return (time_left_.is_rough() ? " · about " : " · ") + time + " left";
}

std::string Progress::label(const std::string& case_id, std::int64_t index) const {
  const auto found = plan_.find(case_id);
  const std::string total = std::to_string(launches_);
  std::string text = fmt::format("[{:>{}}/{}] ", std::min(finished_ + 1, launches_), total.size(), total);
  if (found == plan_.end()) return text + case_id;
  const schema::CaseSpec& spec = found->second.spec;
  const std::string precision = spec.precision == schema::Precision::fp32 ? "" : " " + to_string(spec.precision);
  const std::string engine = spec.engine == schema::Engine::eager ? "" : " " + to_string(spec.engine);
  const bool several = std::any_of(plan_.begin(), plan_.end(), [&](const auto& other) {
    return other.second.spec.ranks == spec.ranks && other.second.spec.threads != spec.threads;
  });
  const std::string threads = several ? fmt::format(" t{}", spec.threads) : "";
  const std::string ranks = spec.ranks == 1 ? "" : fmt::format("×{}", spec.ranks);
  return text + fmt::format("{} {} {}{}{}{} b{}{} · launch {}/{}", spec.model, to_string(spec.mode),
                            to_string(spec.device), ranks, precision, engine, spec.batch_size, threads, index + 1,
                            found->second.repeats);
}

std::string loss_line(const schema::LossEvent& event) {
  const std::string loss = event.loss ? fmt::format("{:.4f}", *event.loss) : "not finite";
  return fmt::format("epoch {}/{} · batch {}/{} · loss {}", event.epoch, event.epochs, event.batch, event.batches,
                     loss);
}

}  // namespace mpsbench::output
