// Shows a run's progress on stderr: on a terminal one line that is overwritten, otherwise one line per
// finished launch.
#pragma once

#include "schema/launch.hpp"
#include "schema/messages.hpp"
#include "schema/report.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mpsbench::output {

// Estimates how long a run still takes, from the launches so far and the plan's budgets.
class TimeLeft {
 public:
  explicit TimeLeft(const std::vector<schema::PlannedCase>& plan);

  // Each launch of CASE_ID is expected to measure for SECONDS, which are an estimate, until the first has
  // ended.
  void expect(const std::string& case_id, double seconds);

  // Call this when a launch of CASE_ID has ended. The wall time of a good launch predicts that of the case's
  // others; a failed launch predicts nothing.
  void finished(const std::string& case_id, const schema::Launch& launch);

  // Returns the seconds for all unfinished launches, minus the RUNNING_SECONDS of the launch of CASE_ID that
  // is running now. CASE_ID is empty if none is.
  [[nodiscard]] double seconds(const std::string& case_id, double running_seconds) const;
  // Whether seconds() contains estimates given to expect().
  [[nodiscard]] bool is_rough() const;

 private:
  struct CaseTime {
    double budget_seconds = 0;
    std::optional<double> estimated_seconds;
    double cooldown_seconds = 0;
    bool counted_work = false;
    std::int64_t left = 0;
    std::int64_t good = 0;
    double good_seconds = 0;
  };
  // Returns the expected seconds for one launch, including its cool-down.
  [[nodiscard]] double expected(const CaseTime& entry) const;

  std::map<std::string, CaseTime> cases_;
  // Sums over all good launches: set-up, time after set-up, and budget for the time after set-up.
  double setup_seconds_ = 0;
  double used_seconds_ = 0;
  double offered_seconds_ = 0;
  std::int64_t good_ = 0;
};

// A line on the terminal that is overwritten by the next one.
class StatusLine {
 public:
  using Write = std::function<void(const std::string&)>;
  using Width = std::function<std::size_t()>;  // current width of the terminal

  StatusLine(Write write, Width width) : write_(std::move(write)), width_(std::move(width)) {}

  // Replaces the line by TEXT, cut to the terminal's width.
  void show(const std::string& text);
  // Removes the line. Call this before you write anything else there.
  void clear();

 private:
  Write write_;
  Width width_;
  std::size_t shown_cells_ = 0;  // width of the line on the terminal; 0: there is none
};

class Progress {
 public:
  enum class Style { none, line, plain };
  using Write = StatusLine::Write;
  using Clock = std::function<double()>;  // seconds of a steady clock
  using Width = StatusLine::Width;

  Progress(const std::vector<schema::PlannedCase>& plan, Style style, Write write, Clock clock, Width width);

  // See TimeLeft.
  void expect(const std::string& case_id, double seconds) { time_left_.expect(case_id, seconds); }
  // More launches follow until then, by the clock, so that is the time left.
  void go_on_until(double end) { end_ = end; }
  // Only for a resumed run: counts its FINISHED launches without showing them.
  void resume(const std::map<std::string, std::vector<schema::Launch>>& finished);
  void launch_started(const std::string& case_id, std::int64_t index);
  void update(const schema::PhaseEvent& event);
  void update(const schema::ProgressEvent& event);
  // CASE_ID is the launch's case. If the launch was skipped, this is not the case that started last.
  void launch_finished(const std::string& case_id, const schema::Launch& launch);
  // Removes the line from the terminal. Call this before you write anything else there.
  void clear() { line_.clear(); }

 private:
  void draw();
  // " · about 2 min 0 s left"; empty after the last launch
  [[nodiscard]] std::string left_text(const std::string& case_id, double running_seconds) const;
  [[nodiscard]] std::string label(const std::string& case_id, std::int64_t index) const;

  Style style_;
  Write write_;
  Clock clock_;
  StatusLine line_;
  TimeLeft time_left_;
  std::map<std::string, schema::PlannedCase> plan_;
  std::int64_t launches_ = 0;
  std::int64_t finished_ = 0;
  std::string case_id_;
  std::int64_t index_ = 0;
  double started_at_ = 0;
  std::optional<double> end_;           // see go_on_until()
  std::optional<schema::Phase> phase_;  // nullopt: no phase has started yet
  std::optional<schema::ProgressEvent> figures_;
};

// Returns the loss as a line: "epoch 1/1 · batch 100/1406 · loss 2.2623".
[[nodiscard]] std::string loss_line(const schema::LossEvent& event);

}  // namespace mpsbench::output
