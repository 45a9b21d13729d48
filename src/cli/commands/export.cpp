#include "cli/commands/export.hpp"

#include "base/counted.hpp"
#include "base/log.hpp"
#include "cli/commands/output_file.hpp"
#include "output/export/export_formats.hpp"
#include "output/export/measured.hpp"
#include "run/report_file.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <filesystem>

namespace mpsbench::cli {
namespace {

std::vector<std::string> format_names() {
  std::vector<std::string> names;
  for (const output::ExportFormat& format : output::export_formats()) names.push_back(format.name);
  return names;
}

const output::ExportFormat& format_of(const std::string& name) {
  const auto& formats = output::export_formats();
  return *std::find_if(formats.begin(), formats.end(),
                       [&](const output::ExportFormat& format) { return format.name == name; });
}

// An export must not take the place of what it was made from.
void refuse_overwriting(const ExportOptions& options) {
  for (const std::string& file : options.files) {
    std::error_code error;
    if (std::filesystem::equivalent(file, options.output, error))
      throw base::usage_error("--output: " + options.output +
                              " is the report that is exported; choose another place");
  }
}

void tell_left_out(const std::vector<schema::Report>& reports, const std::string& format) {
  std::size_t all = 0;
  std::size_t left_out = 0;
  for (const schema::Report& report : reports) {
    all += report.cases.size();
    left_out += static_cast<std::size_t>(
        std::count_if(report.cases.begin(), report.cases.end(),
                      [](const schema::CaseResult& result) { return !output::has_figures(result); }));
  }
  if (left_out > 0)
    base::log::warn(format +
                    " has no place for what was not measured: " + base::counted(left_out, "case", "cases") +
                    " of " + std::to_string(all) + (left_out == 1 ? " is" : " are") + " left out");
}

}  // namespace

CLI::App* add_export_command(CLI::App& app, ExportOptions& options) {
  CLI::App* command = app.add_subcommand("export", "Write reports in the formats of other programs");
  const std::vector<std::string> names = format_names();
  std::string list;
  for (const std::string& name : names)
    list += (list.empty() ? "" : name == names.back() ? " or " : ", ") + name;
  command->add_option("REPORT", options.files, "reports")->required();
  command->add_option("-f,--format", options.format, list)
      ->type_name("FORMAT")
      ->required()
      ->check(CLI::IsMember(names));
  command->add_option("-o,--output", options.output, "file to write; - is stdout (default: -)")
      ->type_name("FILE");
  return command;
}

base::ExitCode run_export(const ExportOptions& options) {
  refuse_overwriting(options);
  require_output(options.output);
  const output::ExportFormat& format = format_of(options.format);
  std::vector<schema::Report> reports;
  for (const std::string& file : options.files) reports.push_back(run::read_report_file(file));
  if (format.leaves_out) tell_left_out(reports, format.name);
  write_output(options.output, format.text(reports));
  return base::ExitCode::ok;
}

}  // namespace mpsbench::cli
