#include "cli/commands/export.hpp"

#include "run/report_file.hpp"

#include <CLI/CLI.hpp>

namespace mpsbench::cli {
namespace {

Printed printed_export() {
  return {output::formats_with(&output::ExportFormat::report), "", false, true};
}

}  // namespace

CLI::App* add_export_command(CLI::App& app, ExportOptions& options) {
  CLI::App* command = app.add_subcommand("export", "Write reports in the formats of other programs");
  command->add_option("REPORT", options.files, "reports")->required();
  add_output_options(*command, options.output, printed_export());
  return command;
}

base::ExitCode run_export(const ExportOptions& options) {
  const ChosenOutput chosen = chosen_output(options.output, printed_export(), options.files);
  std::vector<schema::Report> reports;
  for (const std::string& file : options.files) reports.push_back(run::read_report_file(file));
  warn_of_left_out(reports, *chosen.format);
  write_output(chosen.file, chosen.format->report(reports));
  return base::ExitCode::ok;
}

}  // namespace mpsbench::cli
