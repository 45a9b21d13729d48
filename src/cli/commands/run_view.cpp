#include "cli/commands/run_view.hpp"

#include "base/clock.hpp"
#include "base/cpu_list.hpp"
#include "base/log.hpp"
#include "cli/shell/terminal.hpp"
#include "output/console/console_table.hpp"
#include "report/metrics/expected_time.hpp"
#include "report/metrics/thread_shortfall.hpp"
#include "run/ceilings.hpp"
#include "schema/tool_info.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <set>
#include <utility>

namespace mpsbench::cli {
namespace {

// The cases of all RECORDS, so a case appears once per run.
std::vector<schema::PlannedCase> plans_of(const std::vector<const schema::RunRecord*>& records) {
  std::vector<schema::PlannedCase> plans;
  for (const schema::RunRecord* record : records)
    plans.insert(plans.end(), record->run.planned.begin(), record->run.planned.end());
  return plans;
}

}  // namespace

RunView::RunView(const std::vector<const schema::RunRecord*>& records, output::Progress::Style style,
                 bool header, std::optional<double> goes_on_until)
    : record_(records.front()),
      progress_(plans_of(records), style, write_to_stderr, base::steady_seconds,
                [] { return output::terminal_width(STDERR_FILENO); }),
      header_(header) {
  expect_times(*record_);
  for (const schema::RunRecord* record : records) progress_.resume(record->launches);
  if (goes_on_until) progress_.go_on_until(*goes_on_until);
}

void RunView::expect_times(const schema::RunRecord& record) {
  for (const schema::PlannedCase& planned : record.run.planned) {
    const report::ExpectedTime time = report::expected_time(record, planned);
    if (time.is_estimate) progress_.expect(planned.id, std::min(time.seconds, planned.timeout_seconds));
  }
}

std::string RunView::device_words() const {
  std::set<std::string> devices;
  for (const schema::PlannedCase& planned : record_->run.planned)
    devices.insert(to_string(planned.spec.device));
  std::string words;
  for (const std::string& device : devices) words += (words.empty() ? "" : ", ") + device;
  return words;
}

void RunView::on_hello(const schema::LibtorchInfo& libtorch) {
  if (!std::exchange(has_libtorch_, true)) {
    schema::RunRecord planned{record_->tool, record_->run, record_->host, {}};
    run::recall_ceilings(planned, libtorch.version);
    if (!planned.host.ceilings.empty()) expect_times(planned);
  }
  if (!header_) return;
  header_ = false;
  schema::HostInfo host = record_->host;
  host.libtorch = libtorch;
  progress_.clear();
  std::printf("%s\n", output::header_line(schema::tool_info(), host, device_words()).c_str());
  std::fflush(stdout);
}

void RunView::on_phase(schema::Phase phase) {
  progress_.update(schema::PhaseEvent{phase});
}
void RunView::on_progress(const schema::ProgressEvent& event) {
  progress_.update(event);
}

void RunView::on_loss(const schema::LossEvent& event) {
  progress_.clear();
  base::log::detail(output::loss_line(event));
}

void RunView::on_launch_start(const supervise::RunPosition& position) {
  progress_.launch_started(record_->run.planned[position.case_index].id, position.launch_index);
}

void RunView::on_launch_end(const supervise::RunPosition& position, const schema::Launch& launch) {
  const schema::PlannedCase& planned = record_->run.planned[position.case_index];
  progress_.launch_finished(planned.id, launch);
  warn_of_missing_threads(planned, launch);
}

void RunView::warn_of_missing_threads(const schema::PlannedCase& planned, const schema::Launch& launch) {
  const auto shortfall =
      report::thread_shortfall(planned.spec, launch, record_->host, base::allowed_cpus().size());
  if (!shortfall || !told_.insert(shortfall->what).second) return;
  progress_.clear();
  base::log::warn(planned.id + ": " + shortfall->what + "; " + shortfall->cure);
}

void RunView::finish() {
  progress_.clear();
}

}  // namespace mpsbench::cli
