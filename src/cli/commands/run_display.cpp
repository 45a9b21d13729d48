#include "cli/commands/run_display.hpp"

#include "base/clock.hpp"
#include "base/log.hpp"
#include "base/system_files.hpp"
#include "base/units.hpp"
#include "cli/shell/terminal.hpp"
#include "output/console/console_table.hpp"
#include "output/text/text.hpp"
#include "report/metrics/ceilings.hpp"
#include "report/metrics/thread_shortfall.hpp"
#include "run/session/ceilings.hpp"
#include "schema/host.hpp"
#include "supervise/launcher.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <string>
#include <utility>
#include <variant>

namespace mpsbench::cli {

namespace {

std::size_t stderr_width() {
  return line_width(STDERR_FILENO).value_or(80);
}

const output::ExportFormat* format_of_stdout(const std::vector<ChosenOutput>& outputs) {
  const auto found = std::ranges::find_if(outputs, &ChosenOutput::is_stdout);
  return found != outputs.end() ? found->format : output::find_format("table");
}

// The cases of all RECORDS, so a case appears once per run.
std::vector<schema::PlannedCase> plans_of(const std::vector<const schema::RunRecord*>& records) {
  std::vector<schema::PlannedCase> plans;
  for (const schema::RunRecord* record : records)
    plans.insert(plans.end(), record->run.planned.begin(), record->run.planned.end());
  return plans;
}

}  // namespace

RunDisplay::RunDisplay(const suite::Settings& settings, std::vector<ChosenOutput> outputs)
    : outputs_(std::move(outputs)),
      format_(format_of_stdout(outputs_)),
      is_plain_(settings.plain.is_on()),
      colour_on_stdout_(use_colour(settings, STDOUT_FILENO)),
      colour_on_stderr_(use_colour(settings, STDERR_FILENO)),
      progress_(progress_style(settings)),
      has_header_(is_table()),
      compiling_(write_to_stderr, stderr_width) {}

run::RunSink RunDisplay::sink() {
  return [this](const run::RunEvent& event) { std::visit(*this, event); };
}

void RunDisplay::operator()(const run::BatchTried& tried) {
  base::log::info(output::printable(tried.case_id) + ": " + output::printable(tried.result));
}

void RunDisplay::operator()(const run::Compiling& one) {
  const std::string what = "compiling " + output::printable(one.case_id + " · " + one.stage);
  if (progress_ != output::Progress::Style::line) {
    if (std::exchange(compiling_what_, what) != what) base::log::detail(what);
    return;
  }
  std::string line = what + " · ";
  const double left = one.expected_seconds.value_or(0) - one.elapsed_seconds;
  line += left >= 1 ? "about " + base::format_duration(std::round(left)) + " left"
                    : base::format_duration(std::round(one.elapsed_seconds));
  compiling_.show(line);
}

void RunDisplay::operator()(const run::Compiled& one) {
  compiling_.clear();
  base::log::info("compiled " + output::printable(one.case_id) + " in " +
                  base::format_duration(std::round(one.seconds)));
}

void RunDisplay::operator()(const run::NotCompiled& one) {
  compiling_.clear();
  base::log::warn(output::printable(one.case_id + ": " + one.reason));
}

void RunDisplay::operator()(const run::LaunchesBegin& begin) {
  launches_.emplace(begin.records, progress_, std::exchange(has_header_, false), begin.goes_on_until);
}

void RunDisplay::operator()(const supervise::LaunchEvent& event) {
  std::visit(launches_.value(), event);
}

void RunDisplay::operator()(const run::LaunchesEnd& /*end*/) {
  launches_.value().finish();
}

void RunDisplay::operator()(const run::ReportMade& made) {
  const schema::Report& report = made.report;
  if (is_plain_) {
    std::fputs(output::plain_lines(report).c_str(), stdout);
  } else if (is_table()) {
    std::fputs(("\n" + output::console_report(report, colour_on_stdout_)).c_str(), stdout);
  } else {
    warn_of_left_out({report}, *format_);
    write_output(kStdout, format_->report({report}));
  }
  std::fflush(stdout);
  write_files(report);
}

void RunDisplay::write_files(const schema::Report& report) {
  for (const ChosenOutput& one : outputs_) {
    if (one.is_stdout()) continue;
    try {
      warn_of_left_out({report}, *one.format);
      write_output(one.file, one.format->report({report}));
      base::log::info(one.format->name + "  " + output::printable(one.file));
    } catch (const base::Error& error) {
      base::log::warn(error.what());
      code_ = base::ExitCode::incomplete;
    }
  }
}

void RunDisplay::operator()(const run::ReportWritten& written) {
  const std::string place = written.place.string();
  const std::string line = "report  " + output::printable(place);
  if (is_table()) {
    std::printf("%s\n", line.c_str());
  } else {
    base::log::info(line);
  }
  if (written.can_go_on)
    base::log::info(std::string("to continue") +
                    (supervise::launcher_place(::getenv) ? ", under the same launcher" : "") +
                    ": mpsbench run --resume " + output::printable(output::quoted_for_shell(place)));
}

void RunDisplay::operator()(const run::ComparisonMade& made) {
  // Other programs may read the other formats, and expect one document.
  const bool on_stdout = is_table() || (format_ == output::find_format("md") && !is_plain_);
  const output::ExportFormat& format = on_stdout ? *format_ : *output::find_format("table");
  const bool is_coloured = on_stdout ? colour_on_stdout_ : colour_on_stderr_;
  const std::string text = "\n" + format.comparison({made.comparison, made.notes, is_coloured});
  std::fputs(text.c_str(), on_stdout ? stdout : stderr);
}

void RunDisplay::operator()(const run::Calibrated& calibrated) {
  const std::string text = "\n" + output::calibration_table(calibrated.cases);
  std::fputs(text.c_str(), is_table() ? stdout : stderr);
}

RunView::RunView(const std::vector<const schema::RunRecord*>& records, output::Progress::Style style, bool header,
                 std::optional<double> goes_on_until)
    : record_(records.front()),
      progress_(plans_of(records), style, write_to_stderr, base::steady_seconds, stderr_width),
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
  for (const schema::PlannedCase& planned : record_->run.planned) devices.insert(to_string(planned.spec.device));
  std::string words;
  for (const std::string& device : devices) words += (words.empty() ? "" : ", ") + device;
  return words;
}

void RunView::operator()(const supervise::WorkerSaid& said) {
  const auto show = [this](const auto& event) {
    if constexpr (requires { (*this)(event); }) (*this)(event);
  };
  std::visit(show, said.event);
}

void RunView::operator()(const schema::HelloEvent& hello) {
  const schema::LibtorchInfo& libtorch = hello.libtorch;
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

void RunView::operator()(const schema::PhaseEvent& event) {
  progress_.update(event);
}
void RunView::operator()(const schema::ProgressEvent& event) {
  progress_.update(event);
}

void RunView::operator()(const schema::LossEvent& event) {
  progress_.clear();
  base::log::detail(output::loss_line(event));
}

void RunView::operator()(const supervise::LaunchStarted& started) {
  const supervise::RunPosition& position = started.position;
  progress_.launch_started(record_->run.planned[position.case_index].id, position.launch_index);
}

void RunView::operator()(const supervise::LaunchEnded& ended) {
  const schema::PlannedCase& planned = record_->run.planned[ended.position.case_index];
  progress_.launch_finished(planned.id, ended.launch);
  warn_of_missing_threads(planned, ended.launch);
}

void RunView::warn_of_missing_threads(const schema::PlannedCase& planned, const schema::Launch& launch) {
  const auto shortfall = report::thread_shortfall(planned.spec, launch, record_->host, base::allowed_cpus().size());
  if (!shortfall || !told_.insert(shortfall->what).second) return;
  progress_.clear();
  base::log::warn(planned.id + ": " + shortfall->what + "; " + shortfall->cure);
}

void RunView::finish() {
  progress_.clear();
}

}  // namespace mpsbench::cli
