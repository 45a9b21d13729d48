#include "cli/commands/export.hpp"

#include "run/report_file.hpp"

#include <CLI/CLI.hpp>

#include <filesystem>

namespace mpsbench::cli {
namespace {

Printed printed_export() {
  return {output::formats_with(&output::ExportFormat::report), ""};
}

// An export must not overwrite its own input.
void refuse_overwriting(const ExportOptions& options) {
  for (const std::string& file : options.files) {
    std::error_code error;
    if (std::filesystem::equivalent(file, options.output.file, error))
      throw base::usage_error("--output: " + options.output.file +
                              " is the report to export; choose another file");
  }
}

}  // namespace

CLI::App* add_export_command(CLI::App& app, ExportOptions& options) {
  CLI::App* command = app.add_subcommand("export", "Write reports in the formats of other programs");
  command->add_option("REPORT", options.files, "reports")->required();
  add_output_options(*command, options.output, printed_export());
  return command;
}

base::ExitCode run_export(const ExportOptions& options) {
  refuse_overwriting(options);
  const ChosenOutput chosen = chosen_output(options.output, printed_export());
  std::vector<schema::Report> reports;
  for (const std::string& file : options.files) reports.push_back(run::read_report_file(file));
  warn_of_left_out(reports, *chosen.format);
  write_output(chosen.file, chosen.format->report(reports));
  return base::ExitCode::ok;
}

}  // namespace mpsbench::cli
