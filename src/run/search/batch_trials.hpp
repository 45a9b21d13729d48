// Launches that try batch sizes of a case whose batch size is still to be found.
#pragma once

#include "run/packages/packages.hpp"
#include "run/plan/view.hpp"
#include "schema/messages.hpp"
#include "schema/report.hpp"
#include "suite/plan_cases.hpp"
#include "supervise/interrupt.hpp"

#include <cstdint>
#include <exception>
#include <optional>
#include <string>

namespace mpsbench::run {

// Launches that find something out before a run measures. No report has them.

// Returns PLANNED with plain steps: without options that count the work, because counted work may take hours.
[[nodiscard]] schema::PlannedCase plain_trial(schema::PlannedCase planned);

// Throws Error(interrupted): "stopped WHEN; nothing was measured yet".
[[noreturn]] void stop_trials(const std::string& when);

// Runs one launch of REQUEST. Calls stop_trials(WHEN) if it is interrupted.
[[nodiscard]] schema::Launch run_trial(const schema::LaunchRequest& request, double timeout_seconds,
                                       supervise::Interrupt& interrupt, const std::string& when);

// A trial ended neither well nor for lack of memory.
struct FailedTrial final : std::exception {
  explicit FailedTrial(std::int64_t batch) : batch_size(batch) {}
  std::int64_t batch_size;
};

// All references must outlive the object.
class BatchTrials {
 public:
  BatchTrials(schema::RunRecord& record, const suite::OpenCase& open, const suite::Host& host,
              supervise::Interrupt& interrupt, View& view)
      : record_(&record), open_(&open), host_(&host), interrupt_(&interrupt), view_(&view) {}

  // The case at the network's own batch size.
  [[nodiscard]] schema::PlannedCase first() const { return open_->first(*host_); }
  // The case as it would be measured. Returns nullopt if it cannot even be planned: the batch size is 0 or
  // exceeds the machine's memory.
  [[nodiscard]] std::optional<schema::PlannedCase> planned(std::int64_t batch_size) const;
  // The same with plain steps.
  [[nodiscard]] std::optional<schema::PlannedCase> plain(std::int64_t batch_size) const;

  // Returns nullopt, and shows it, if TRIAL runs out of memory. Throws FailedTrial and Error(interrupted).
  std::optional<schema::Launch> run(const schema::PlannedCase& trial);

  // Adds a case to the record's plan, unless it is there.
  void plan(schema::PlannedCase planned);
  void show(const std::string& text) const { view_->on_trial(open_->id, text); }
  void show(std::int64_t batch_size, const std::string& text) const;

 private:
  [[nodiscard]] schema::Launch launch_of(const schema::PlannedCase& trial, const std::string& when);
  [[nodiscard]] std::string known_words() const;

  schema::RunRecord* record_;
  const suite::OpenCase* open_;
  const suite::Host* host_;
  supervise::Interrupt* interrupt_;
  View* view_;
  Packages packages_;
  std::int64_t largest_fit_ = 0;
  std::optional<std::int64_t> smallest_misfit_;
};

}  // namespace mpsbench::run
