#include "cli/commands/run_display.hpp"

#include "base/log.hpp"
#include "cli/commands/comparison_view.hpp"
#include "cli/shell/terminal.hpp"
#include "output/console/calibration_table.hpp"
#include "output/console/console_table.hpp"
#include "output/console/plain.hpp"
#include "output/export/exporters.hpp"
#include "output/text/text.hpp"

#include <unistd.h>

#include <cstdio>
#include <utility>

namespace mpsbench::cli {

using suite::OutputFormat;

RunDisplay::RunDisplay(const suite::Settings& settings)
    : format_(settings.output.value_or(OutputFormat::table)),
      is_plain_(settings.plain.is_on()),
      colour_on_stdout_(use_colour(settings, STDOUT_FILENO)),
      colour_on_stderr_(use_colour(settings, STDERR_FILENO)),
      progress_(progress_style(settings)),
      has_header_(is_table()) {}

void RunDisplay::on_trial(const std::string& case_id, const std::string& result) {
  base::log::info(output::printable(case_id) + ": " + output::printable(result));
}

supervise::RunListener& RunDisplay::on_launches_begin(const std::vector<const schema::RunRecord*>& records) {
  return launches_.emplace(records, progress_, std::exchange(has_header_, false));
}

void RunDisplay::on_launches_end() {
  launches_.value().finish();
}

void RunDisplay::on_report(const schema::Report& report) {
  if (is_plain_) {
    std::fputs(output::plain_lines(report).c_str(), stdout);
  } else if (format_ == OutputFormat::table) {
    std::string text = "\n" + output::console_table(report, colour_on_stdout_) + "\n";
    text += output::summary_sentence(report) + "\n";
    std::fputs(text.c_str(), stdout);
  } else {
    std::fputs(output::exporters().at(format_)(report).c_str(), stdout);
  }
  std::fflush(stdout);
}

void RunDisplay::on_report_written(const std::filesystem::path& place, bool can_go_on) {
  const std::string line = "report  " + output::printable(place.string());
  if (is_table()) {
    std::printf("%s\n", line.c_str());
  } else {
    base::log::info(line);
  }
  if (can_go_on)
    base::log::info("go on with: mpsbench run --resume " +
                    output::printable(output::quoted_for_shell(place.string())));
}

void RunDisplay::on_comparison(const report::Comparison& comparison, const std::vector<std::string>& notes) {
  const bool on_stdout = is_table() || (format_ == OutputFormat::md && !is_plain_);
  std::FILE* stream = on_stdout ? stdout : stderr;
  std::fputs("\n", stream);
  print_comparison(comparison, notes, schema::to_string(on_stdout ? format_ : OutputFormat::table),
                   on_stdout ? colour_on_stdout_ : colour_on_stderr_, stream);
}

void RunDisplay::on_calibration(const std::vector<report::CalibratedCase>& cases) {
  const std::string text = "\n" + output::calibration_table(cases);
  std::fputs(text.c_str(), is_table() ? stdout : stderr);
}

}  // namespace mpsbench::cli
