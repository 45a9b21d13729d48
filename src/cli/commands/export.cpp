#include "cli/commands/commands.hpp"
#include "cli/commands/output_file.hpp"
#include "report/metrics/assemble.hpp"
#include "run/plan/places.hpp"

#include <CLI/CLI.hpp>

#include <utility>

namespace mpsbench::cli {
namespace {

struct ReportsToReports {
  std::vector<std::string> files;
  OutputChoice output;
};

Printed printed_reports(const std::string& usual) {
  return {output::formats_with(&output::ExportFormat::report), usual, !usual.empty(), true};
}

void print(const std::vector<schema::Report>& reports, const std::vector<std::string>& files,
           const ChosenOutput& chosen) {
  const output::ExportFormat& format = *chosen.format;
  warn_of_left_out(reports, format);
  write_output(chosen.file,
               format.named_report != nullptr ? format.named_report(reports, files) : format.report(reports));
}

base::ExitCode run_export(const ReportsToReports& options) {
  const ChosenOutput chosen = chosen_output(options.output, printed_reports(""), options.files);
  std::vector<schema::Report> reports;
  for (const std::string& file : options.files) reports.push_back(run::read_report_file(file));
  print(reports, options.files, chosen);
  return base::ExitCode::ok;
}

base::ExitCode run_merge(const ReportsToReports& options) {
  if (options.files.size() < 2) throw base::usage_error("merge: give at least two reports");
  const ChosenOutput chosen = chosen_output(options.output, printed_reports("json"), options.files);
  std::vector<report::NamedReport> reports;
  for (const std::string& file : options.files) reports.push_back({file, run::read_report_file(file)});
  print({report::assemble(report::merge(std::move(reports)))}, {}, chosen);
  return base::ExitCode::ok;
}

}  // namespace

void add_export_command(CLI::App& app, Action& chosen) {
  const auto [command, options] =
      add_command(app, chosen, "export", "Write reports in the formats of other programs", run_export);
  command.add_option("REPORT", options.files, "reports")->required();
  add_output_options(command, options.output, printed_reports(""));
}

void add_merge_command(CLI::App& app, Action& chosen) {
  const auto [command, options] =
      add_command(app, chosen, "merge",
                  "Join reports of one machine and build into one, as if they came from a single run", run_merge);
  command.add_option("REPORT", options.files, "reports")->required();
  add_output_options(command, options.output, printed_reports("json"));
}

}  // namespace mpsbench::cli
