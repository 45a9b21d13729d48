#include "cli/commands/merge.hpp"

#include "base/json_file.hpp"
#include "cli/commands/output_file.hpp"
#include "report/metrics/assemble.hpp"
#include "report/metrics/merge.hpp"
#include "run/report_file.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <utility>

namespace mpsbench::cli {

CLI::App* add_merge_command(CLI::App& app, MergeOptions& options) {
  CLI::App* command =
      app.add_subcommand("merge", "Join reports of one machine and build, as if one run had made them");
  command->add_option("REPORT", options.files, "reports")->required();
  command->add_option("-o,--output", options.output, "report to write, overwritten; - is stdout (default: -)")
      ->type_name("FILE");
  return command;
}

base::ExitCode run_merge(const MergeOptions& options) {
  if (options.files.size() < 2) throw base::usage_error("merge: name two reports or more");
  require_output(options.output);
  std::vector<report::NamedReport> reports;
  for (const std::string& file : options.files) reports.push_back({file, run::read_report_file(file)});
  const schema::Report merged = report::assemble(report::merge(std::move(reports)));
  write_output(options.output, base::to_text(schema::to_json(merged), 1) + "\n");
  return base::ExitCode::ok;
}

}  // namespace mpsbench::cli
