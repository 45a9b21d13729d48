#include "cli/commands/run_display.hpp"

#include "base/log.hpp"
#include "base/units.hpp"
#include "cli/shell/terminal.hpp"
#include "output/console/calibration_table.hpp"
#include "output/console/console_table.hpp"
#include "output/console/plain.hpp"
#include "output/text/text.hpp"
#include "supervise/launcher.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>

namespace mpsbench::cli {

namespace {

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
      progress_(progress_style(settings)),
      has_header_(is_table()),
      compiling_(write_to_stderr, [] { return output::terminal_width(STDERR_FILENO); }) {}

void RunDisplay::on_trial(const std::string& case_id, const std::string& result) {
  base::log::info(output::printable(case_id) + ": " + output::printable(result));
}

void RunDisplay::on_compile(const std::string& case_id, const std::string& stage, double elapsed_seconds,
                            std::optional<double> expected_seconds) {
  const std::string what = "compiling " + output::printable(case_id + " · " + stage);
  if (progress_ != output::Progress::Style::line) {
    if (std::exchange(compiling_what_, what) != what) base::log::detail(what);
    return;
  }
  std::string line = what + " · ";
  const double left = expected_seconds.value_or(0) - elapsed_seconds;
  line += left >= 1 ? "about " + base::format_duration(std::round(left)) + " left"
                    : base::format_duration(std::round(elapsed_seconds));
  compiling_.show(line);
}

void RunDisplay::on_compiled(const std::string& case_id, double seconds) {
  compiling_.clear();
  base::log::info("compiled " + output::printable(case_id) + " in " +
                  base::format_duration(std::round(seconds)));
}

void RunDisplay::on_compile_failed(const std::string& case_id, const std::string& reason) {
  compiling_.clear();
  base::log::warn(output::printable(case_id + ": " + reason));
}

supervise::RunListener& RunDisplay::on_launches_begin(const std::vector<const schema::RunRecord*>& records,
                                                      std::optional<double> goes_on_until) {
  return launches_.emplace(records, progress_, std::exchange(has_header_, false), goes_on_until);
}

void RunDisplay::on_launches_end() {
  launches_.value().finish();
}

void RunDisplay::on_report(const schema::Report& report) {
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

void RunDisplay::on_report_written(const std::filesystem::path& place, bool can_go_on) {
  const std::string line = "report  " + output::printable(place.string());
  if (is_table()) {
    std::printf("%s\n", line.c_str());
  } else {
    base::log::info(line);
  }
  if (can_go_on)
    base::log::info(std::string("to continue") +
                    (supervise::launcher_place(::getenv) ? ", under the same launcher" : "") +
                    ": mpsbench run --resume " + output::printable(output::quoted_for_shell(place.string())));
}

void RunDisplay::on_comparison(const report::Comparison& comparison, const std::vector<std::string>& notes) {
  // Other programs may read the other formats, and expect one document.
  const bool on_stdout = is_table() || (format_ == output::find_format("md") && !is_plain_);
  const output::ExportFormat& format = on_stdout ? *format_ : *output::find_format("table");
  const bool is_coloured = on_stdout ? colour_on_stdout_ : colour_on_stderr_;
  const std::string text = "\n" + format.comparison({comparison, notes, is_coloured});
  std::fputs(text.c_str(), on_stdout ? stdout : stderr);
}

void RunDisplay::on_calibration(const std::vector<report::CalibratedCase>& cases) {
  const std::string text = "\n" + output::calibration_table(cases);
  std::fputs(text.c_str(), is_table() ? stdout : stderr);
}

}  // namespace mpsbench::cli
