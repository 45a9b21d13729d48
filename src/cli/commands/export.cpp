#include "cli/commands/commands.hpp"
#include "cli/commands/output_file.hpp"
#include "report/metrics/assemble.hpp"
#include "report/metrics/merge.hpp"
#include "run/plan/report_file.hpp"

#include <CLI/CLI.hpp>

#include <memory>
#include <utility>

namespace mpsbench::cli {
namespace {

struct ReportsToReports {
  std::vector<std::string> files;
  OutputChoice output;
};

Printed printed_export() {
  return {output::formats_with(&output::ExportFormat::report), "", false, true};
}

Printed printed_merge() {
  return {output::formats_with(&output::ExportFormat::report), "json", true, true};
}

void print(const std::vector<schema::Report>& reports, const std::vector<std::string>& files,
           const ChosenOutput& chosen) {
  const output::ExportFormat& format = *chosen.format;
  warn_of_left_out(reports, format);
  write_output(chosen.file,
               format.named_report != nullptr ? format.named_report(reports, files) : format.report(reports));
}

base::ExitCode run_export(const ReportsToReports& options) {
  const ChosenOutput chosen = chosen_output(options.output, printed_export(), options.files);
  std::vector<schema::Report> reports;
  for (const std::string& file : options.files) reports.push_back(run::read_report_file(file));
  print(reports, options.files, chosen);
  return base::ExitCode::ok;
}

base::ExitCode run_merge(const ReportsToReports& options) {
  if (options.files.size() < 2) throw base::usage_error("merge: give at least two reports");
  const ChosenOutput chosen = chosen_output(options.output, printed_merge(), options.files);
  std::vector<report::NamedReport> reports;
  for (const std::string& file : options.files) reports.push_back({file, run::read_report_file(file)});
  print({report::assemble(report::merge(std::move(reports)))}, {}, chosen);
  return base::ExitCode::ok;
}

using Run = base::ExitCode (*)(const ReportsToReports& options);

void add(CLI::App& app, const char* name, const char* help, const Printed& printed, Run run, Action& chosen) {
  CLI::App* command = app.add_subcommand(name, help);
  const auto options = std::make_shared<ReportsToReports>();
  command->add_option("REPORT", options->files, "reports")->required();
  add_output_options(*command, options->output, printed);
  command->callback([&chosen, options, run] { chosen = [options, run] { return run(*options); }; });
}

}  // namespace

void add_export_command(CLI::App& app, Action& chosen) {
  add(app, "export", "Write reports in the formats of other programs", printed_export(), run_export, chosen);
}

void add_merge_command(CLI::App& app, Action& chosen) {
  add(app, "merge", "Join reports of one machine and build into one, as if they came from a single run",
      printed_merge(), run_merge, chosen);
}

}  // namespace mpsbench::cli
