#include "cli/commands/compare.hpp"

#include "cli/commands/comparison_view.hpp"
#include "cli/shell/terminal.hpp"
#include "output/console/machines_table.hpp"
#include "output/export/junit.hpp"
#include "output/export/machines_export.hpp"
#include "report/compare/comparability.hpp"
#include "report/compare/compare.hpp"
#include "report/compare/machines.hpp"
#include "report/compare/spread_store.hpp"
#include "run/comparison_outcome.hpp"
#include "run/report_file.hpp"
#include "suite/option_forms.hpp"

#include <CLI/CLI.hpp>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <future>
#include <utility>

namespace mpsbench::cli {
namespace {

using base::ExitCode;
using report::ComparedReport;

report::CompareRules rules_of(const CompareOptions& options) {
  report::CompareRules rules;
  if (options.threshold) rules.threshold = suite::threshold().read(*options.threshold, "--threshold");
  if (options.alpha) rules.alpha = suite::alpha().read(*options.alpha, "--alpha");
  return rules;
}

bool is_coloured(const CompareOptions& options) {
  return colour_when(schema::parse_name<suite::ColourChoice>(options.color).value(), STDOUT_FILENO);
}

ComparedReport read_one(const std::string& file) {
  run::refuse_journal(file);
  return report::read_compared_report(file);
}

// Reports may be large: each is read on a thread of its own. The first file's error is told first.
std::vector<ComparedReport> read_all(const std::vector<std::string>& files) {
  std::vector<std::future<ComparedReport>> readers;
  for (const std::string& file : files)
    readers.push_back(std::async(std::launch::async, [&file] { return read_one(file); }));
  std::vector<ComparedReport> reports;
  for (std::future<ComparedReport>& reader : readers) reports.push_back(reader.get());
  for (std::size_t i = 0; i < reports.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (reports[i].run_id == reports[j].run_id)
        throw base::usage_error(
            files[j] + " and " + files[i] +
            " are of the same run, which says nothing of a change; give reports of two runs");
    }
  }
  return reports;
}

void print(const std::string& text) {
  std::fputs(text.c_str(), stdout);
}

void print_machines(const report::MachineTable& table, const std::vector<std::string>& caveats,
                    const CompareOptions& options) {
  if (options.format == "json") return print(output::machines_json(table, caveats));
  if (options.format == "csv") {
    print(output::machines_csv(table));
  } else if (options.format == "md") {
    print(output::machines_markdown(table));
  } else {
    print(output::machines_table(table, is_coloured(options)));
  }
  print_notes(caveats, options.format);
}

ExitCode run_gate(const ComparedReport& before, const ComparedReport& after, const CompareOptions& options) {
  const std::vector<std::string> notes = run::notes_of(report::comparability(before, after), options.force);
  const report::SpreadStore calibration(report::cache_folder());
  const report::Comparison comparison =
      report::compare(before, after, rules_of(options), calibration.spread_of(after.host));
  if (options.format == "junit") {
    print(output::comparison_junit(comparison, options.fail_on_undecided));
    print_notes(notes, options.format);
  } else {
    print_comparison(comparison, notes, options.format, is_coloured(options));
  }
  return run::comparison_outcome(comparison, {options.fail_on_regression, options.fail_on_undecided});
}

// The first option given that only the gate knows, whose tests of junit are verdicts; null for none.
const char* gate_option(const CompareOptions& options) {
  if (options.fail_on_regression) return "--fail-on-regression";
  if (options.fail_on_undecided) return "--fail-on-undecided";
  if (options.threshold) return "--threshold";
  if (options.format == "junit") return "--output=junit";
  return options.alpha ? "--alpha" : nullptr;
}

ExitCode run_machines(const std::vector<ComparedReport>& reports, const CompareOptions& options) {
  const char* option = gate_option(options);
  const auto published = std::find_if(reports.begin(), reports.end(),
                                      [](const ComparedReport& report) { return report.is_published(); });
  if (option != nullptr && published != reports.end())
    throw base::Error(base::ErrorKind::not_comparable,
                      std::string(option) + ": " + published->file +
                          " holds published figures, which have no launches to draw a verdict from");
  if (option != nullptr && reports.size() == 2)
    throw base::Error(base::ErrorKind::not_comparable,
                      std::string(option) + ": " + reports[0].file + " (" + reports[0].host.name + ") and " +
                          reports[1].file + " (" + reports[1].host.name +
                          ") are not of the same machine and device; --force judges them all the same");
  if (option != nullptr)
    throw base::Error(base::ErrorKind::not_comparable,
                      std::string(option) + ": verdicts need two reports, the old one and the new one");
  const std::vector<std::string> notes = run::notes_of(report::comparability(reports), options.force);
  const report::MachineTable table = report::machine_table(reports);
  if (table.columns.size() < 2)
    throw base::usage_error("nothing to compare: give two reports, or one with cases on several devices");
  print_machines(table, notes, options);
  return ExitCode::ok;
}

}  // namespace

CLI::App* add_compare_command(CLI::App& app, CompareOptions& options) {
  CLI::App* command = app.add_subcommand(
      "compare",
      "Tell what changed between two reports of a machine, or hold machines and devices side by side");
  command
      ->add_option("REPORT", options.files,
                   "reports: the old one and the new one, or any number of machines'")
      ->required();
  command->add_option("--threshold", options.threshold, "least change that matters (default: 2%)")
      ->type_name("RATIO");
  command
      ->add_option("--alpha", options.alpha, "chance of even one false call over all cases (default: 0.01)")
      ->type_name("RATIO");
  command->add_flag("--fail-on-regression", options.fail_on_regression, "exit with 1 when a case is slower");
  command->add_flag("--fail-on-undecided", options.fail_on_undecided,
                    "exit with 1 when a case is undecided or could not be compared");
  command->add_flag("--force", options.force, "compare two reports that are not comparable");
  command->add_option("-o,--output", options.format, "table, md, csv, json or junit (default: table)")
      ->type_name("FORMAT")
      ->check(CLI::IsMember({"table", "md", "csv", "json", "junit"}));
  command->add_option("--color", options.color, "auto, always or never (default: auto)")
      ->type_name("WHEN")
      ->check(CLI::IsMember(schema::names_of<suite::ColourChoice>()));
  return command;
}

ExitCode run_compare(const CompareOptions& options) {
  (void)rules_of(options);  // a wrong option is told before large files are read
  const std::vector<ComparedReport> reports = read_all(options.files);
  const bool any_published = std::any_of(reports.begin(), reports.end(),
                                         [](const ComparedReport& report) { return report.is_published(); });
  const bool gate = reports.size() == 2 && !any_published &&
                    (options.force || report::same_machine(reports[0], reports[1]));
  return gate ? run_gate(reports[0], reports[1], options) : run_machines(reports, options);
}

}  // namespace mpsbench::cli
