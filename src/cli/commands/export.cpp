#include "base/json_file.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/output_file.hpp"
#include "cli/shell/options.hpp"
#include "report/metrics/assemble.hpp"
#include "run/import/llama_bench.hpp"
#include "run/plan/places.hpp"

#include <CLI/CLI.hpp>

#include <utility>

namespace mpsbench::cli {
namespace {

struct ReportsToReports {
  std::vector<std::string> files;
  OutputChoice output;
};

struct ForeignToReport {
  std::string tool;
  std::string file;
  std::string model;
  std::string precision;
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

base::ExitCode run_import(const ForeignToReport& options) {
  const ChosenOutput chosen = chosen_output(options.output, printed_reports("json"), {options.file});
  const std::string text = base::read_large_text_file(options.file);
  print({run::import_llama_bench(text, options.file,
                                 {options.model, schema::parse_name<schema::Precision>(options.precision)})},
        {}, chosen);
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

void add_import_command(CLI::App& app, Action& chosen) {
  const auto [command, options] = add_command(
      app, chosen, "import", "Turn another program's file into a report, to stand beside one's own", run_import);
  take_only_names(*command.add_option("TOOL", options.tool, "llama-bench")->required(), "tool", {"llama-bench"});
  command.add_option("FILE", options.file, "what it printed with -o json or -o jsonl")->required();
  command.add_option("-m,--model", options.model, "the model of ours that it measured (default: its file's name)")
      ->type_name("NAME");
  take_only_names(
      *command
           .add_option("--precision", options.precision,
                       "the precision of ours to stand beside (default: the one next to the type of the weights)")
           ->type_name("NAME"),
      "precision", schema::names_of<schema::Precision>());
  add_output_options(command, options.output, printed_reports("json"));
}

}  // namespace mpsbench::cli
