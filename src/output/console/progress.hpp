// A run's progress on stderr: one line that overwrites itself on a terminal, one line a finished launch
// elsewhere.
#pragma once

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
  using Write = std::function<void(const std::string&)>;
  using Clock = std::function<double()>;       // steady seconds
  using Width = std::function<std::size_t()>;  // of the terminal now

  Progress(const std::vector<schema::PlannedCase>& plan, Style style, Write write, Clock clock, Width width);

  // FINISHED launches of a run that goes on are counted, not shown.
  void resume(const std::map<std::string, std::vector<schema::Launch>>& finished);
  void launch_started(const std::string& case_id, std::int64_t index);
  void update(const schema::PhaseEvent& event);
  void update(const schema::ProgressEvent& event);
  // Of CASE_ID, which is not the case started last when the launch was skipped.
  void launch_finished(const std::string& case_id, const schema::Launch& launch);
  // Takes the line off the terminal; call before anything else is written there.
  void clear();

 private:
  void draw();
  [[nodiscard]] std::string label(const std::string& case_id, std::int64_t index) const;

  Style style_;
  Write write_;
  Clock clock_;
  Width width_;
  TimeLeft time_left_;
  std::map<std::string, schema::PlannedCase> plan_;
  std::int64_t launches_ = 0;
  std::int64_t finished_ = 0;
  std::string case_id_;
  std::int64_t index_ = 0;
  double started_at_ = 0;
  std::optional<schema::Phase> phase_;  // nullopt: none yet
  std::optional<schema::ProgressEvent> figures_;
  std::size_t shown_cells_ = 0;  // of the line on the terminal, 0: none
};

// "epoch 1/1 · batch 100/1406 · loss 2.2623"
[[nodiscard]] std::string loss_line(const schema::LossEvent& event);

// Cells of the terminal behind FD, 80 when it does not say.
[[nodiscard]] std::size_t terminal_width(int fd);

}  // namespace mpsbench::output
