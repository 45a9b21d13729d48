#include "cli/commands/merge.hpp"

#include "report/metrics/assemble.hpp"
#include "report/metrics/merge.hpp"
#include "run/report_file.hpp"

#include <CLI/CLI.hpp>

#include <utility>

namespace mpsbench::cli {
namespace {

Printed printed_merge() {
  return {output::formats_with(&output::ExportFormat::report), "json", true, true};
}

}  // namespace

CLI::App* add_merge_command(CLI::App& app, MergeOptions& options) {
  CLI::App* command = app.add_subcommand(
      "merge", "Join reports of one machine and build into one, as if they came from a single run");
  command->add_option("REPORT", options.files, "reports")->required();
  add_output_options(*command, options.output, printed_merge());
  return command;
}

base::ExitCode run_merge(const MergeOptions& options) {
  if (options.files.size() < 2) throw base::usage_error("merge: give at least two reports");
  const ChosenOutput chosen = chosen_output(options.output, printed_merge(), options.files);
  std::vector<report::NamedReport> reports;
  for (const std::string& file : options.files) reports.push_back({file, run::read_report_file(file)});
  const schema::Report merged = report::assemble(report::merge(std::move(reports)));
  warn_of_left_out({merged}, *chosen.format);
  write_output(chosen.file, chosen.format->report({merged}));
  return base::ExitCode::ok;
}

}  // namespace mpsbench::cli
