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

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
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

}  // namespace

RunDisplay::RunDisplay(const suite::Settings& settings, std::vector<ChosenOutput> outputs)
    : outputs_(std::move(outputs)),
      format_(format_of_stdout(outputs_)),
      is_plain_(settings.plain.is_on()),
      colour_on_stdout_(use_colour(settings, STDOUT_FILENO)),
      colour_on_stderr_(use_colour(settings, STDERR_FILENO)),
      style_(progress_style(settings)),
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
  if (style_ != output::Progress::Style::line) {
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
  std::vector<schema::PlannedCase> plans;  // a case appears once per run
  for (const schema::RunRecord* record : begin.records)
    plans.insert(plans.end(), record->run.planned.begin(), record->run.planned.end());
  const schema::RunRecord* first = begin.records.front();
  output::Progress& progress =
      launches_.emplace(Launches{first, {plans, style_, write_to_stderr, base::steady_seconds, stderr_width}}).progress;
  expect_times(*first);
  for (const schema::RunRecord* record : begin.records) progress.resume(record->launches);
  if (begin.goes_on_until) progress.go_on_until(*begin.goes_on_until);
}

void RunDisplay::expect_times(const schema::RunRecord& record) {
  for (const schema::PlannedCase& planned : record.run.planned) {
    const report::ExpectedTime time = report::expected_time(record, planned);
    if (time.is_estimate)
      launches_.value().progress.expect(planned.id, std::min(time.seconds, planned.timeout_seconds));
  }
}

void RunDisplay::operator()(const supervise::LaunchEvent& event) {
  std::visit(*this, event);
}

void RunDisplay::operator()(const supervise::LaunchStarted& started) {
  auto& [record, progress, told, unused] = launches_.value();
  progress.launch_started(record->run.planned[started.position.case_index].id, started.position.launch_index);
}

void RunDisplay::operator()(const supervise::LaunchEnded& ended) {
  auto& [record, progress, told, unused] = launches_.value();
  const schema::PlannedCase& planned = record->run.planned[ended.position.case_index];
  progress.launch_finished(planned.id, ended.launch);
  const auto shortfall =
      report::thread_shortfall(planned.spec, ended.launch, record->host, base::allowed_cpus().size());
  if (!shortfall || !told.insert(shortfall->what).second) return;
  progress.clear();
  base::log::warn(planned.id + ": " + shortfall->what + "; " + shortfall->cure);
}

void RunDisplay::operator()(const supervise::WorkerSaid& said) {
  const auto show = [this](const auto& event) {
    if constexpr (requires { (*this)(event); })
      (*this)(event);
    else if constexpr (requires(output::Progress& progress) { progress.update(event); })
      launches_.value().progress.update(event);
  };
  std::visit(show, said.event);
}

void RunDisplay::operator()(const schema::HelloEvent& hello) {
  auto& [record, progress, told, has_libtorch] = launches_.value();
  if (!std::exchange(has_libtorch, true)) {
    schema::RunRecord planned{record->tool, record->run, record->host, {}};
    run::recall_ceilings(planned, hello.libtorch.version);
    if (!planned.host.ceilings.empty()) expect_times(planned);
  }
  if (!std::exchange(has_header_, false)) return;
  schema::HostInfo host = record->host;
  host.libtorch = hello.libtorch;
  std::set<std::string> devices;
  for (const schema::PlannedCase& planned : record->run.planned) devices.insert(to_string(planned.spec.device));
  progress.clear();
  std::printf("%s\n",
              output::header_line(schema::tool_info(), host, fmt::format("{}", fmt::join(devices, ", "))).c_str());
  std::fflush(stdout);
}

void RunDisplay::operator()(const schema::LossEvent& event) {
  launches_.value().progress.clear();
  base::log::detail(output::loss_line(event));
}

void RunDisplay::operator()(const run::LaunchesEnd& /*end*/) {
  launches_.value().progress.clear();
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

}  // namespace mpsbench::cli
