// Shows a run's progress on stderr: on a terminal one line that is overwritten, otherwise one line per
// finished launch.
#pragma once

#include "output/console/status_line.hpp"
#include "output/console/time_left.hpp"
#include "schema/launch.hpp"
#include "schema/messages.hpp"
#include "schema/report.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::output {

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
