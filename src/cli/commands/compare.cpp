#include "cli/commands/compare.hpp"

#include "base/log.hpp"
#include "cli/shell/only_names.hpp"
#include "cli/shell/terminal.hpp"
#include "output/console/machines_table.hpp"
#include "output/console/summary_words.hpp"
#include "output/text/text.hpp"
#include "report/compare/comparability.hpp"
#include "report/compare/compare.hpp"
#include "report/compare/machine_summary.hpp"
#include "report/compare/spread_store.hpp"
#include "run/comparison_outcome.hpp"
#include "run/report_file.hpp"
#include "suite/case_filter.hpp"
#include "suite/option_forms.hpp"

#include <CLI/CLI.hpp>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <future>
#include <regex>
#include <utility>

namespace mpsbench::cli {
namespace {

using base::ExitCode;
using report::ComparedReport;

report::CompareRules rules_of(const CompareOptions& options) {
  report::CompareRules rules;
  if (options.gate_on) rules.gate_on = suite::gate_on().read(*options.gate_on, "--gate-on");
  if (options.threshold) rules.threshold = suite::threshold().read(*options.threshold, "--threshold");
  if (options.alpha) rules.alpha = suite::alpha().read(*options.alpha, "--alpha");
  return rules;
}

bool is_coloured(const CompareOptions& options, const ChosenOutput& chosen) {
  const auto when = schema::parse_name<suite::ColourChoice>(options.color).value();
  return chosen.is_stdout() ? colour_when(when, STDOUT_FILENO) : when == suite::ColourChoice::always;
}

// Reads each report on a separate thread, because reports may be large. Throws the error of the first bad
// file.
std::vector<ComparedReport> read_all(const std::vector<std::string>& files) {
  std::vector<std::string> remarks(files.size());
  std::vector<std::future<ComparedReport>> readers;
  for (std::size_t i = 0; i < files.size(); ++i)
    readers.push_back(std::async(std::launch::async, [&file = files[i], &remark = remarks[i]] {
      return run::read_compared_file(file, remark);
    }));
  std::vector<ComparedReport> reports;
  for (std::future<ComparedReport>& reader : readers) reports.push_back(reader.get());
  for (const std::string& remark : remarks) {
    if (!remark.empty()) base::log::warn(remark);
  }
  for (std::size_t i = 0; i < reports.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      if (reports[i].run_id == reports[j].run_id)
        throw base::usage_error(
            files[j] + " and " + files[i] +
            " are reports of the same run, so there is no change to see; give reports of two runs");
    }
  }
  return reports;
}

// Removes the cases that do not match PATTERN.
void keep_matching(std::vector<ComparedReport>& reports, const std::string& pattern) {
  const std::regex filter = suite::case_filter(suite::regular_expression().read(pattern, "--filter"));
  for (ComparedReport& report : reports) {
    std::erase_if(report.cases,
                  [&](const report::ComparedCase& result) { return !suite::passes(result.id, filter); });
    if (report.cases.empty()) throw base::usage_error("--filter: no case of " + report.file + " matches");
  }
}

Printed printed_comparison() {
  return {output::formats_with(&output::ExportFormat::comparison)};
}

void print(const std::string& text, const std::vector<std::string>& notes, const ChosenOutput& chosen) {
  write_output(chosen.file, text);
  if (chosen.format->has_place_for_notes) return;
  for (const std::string& note : notes) std::fprintf(stderr, "note: %s\n", output::printable(note).c_str());
}

ExitCode run_gate(const ComparedReport& before, const ComparedReport& after, const CompareOptions& options,
                  const ChosenOutput& chosen) {
  std::vector<std::string> notes = run::notes_of(report::comparability(before, after), options.force);
  const report::SpreadStore calibration(report::cache_folder());
  const report::Comparison comparison =
      report::compare(before, after, rules_of(options), calibration.spread_of(after.host));
  if (std::ranges::all_of(comparison.cases, [](const auto& pair) { return !pair.before || !pair.after; }))
    notes.insert(notes.begin(), "no case is in both reports. " + output::nearest_words(after, before));
  const output::ComparisonDocument document{comparison, notes, is_coloured(options, chosen),
                                            options.fail_on_undecided};
  print(chosen.format->comparison(document), notes, chosen);
  return run::comparison_outcome(comparison, {options.fail_on_regression, options.fail_on_undecided});
}

// Returns the first option given that needs verdicts, which only the gate has, or null if there is none. The
// tests of junit are verdicts.
const char* gate_option(const CompareOptions& options, const ChosenOutput& chosen) {
  if (options.fail_on_regression) return "--fail-on-regression";
  if (options.fail_on_undecided) return "--fail-on-undecided";
  if (options.gate_on) return "--gate-on";
  if (options.threshold) return "--threshold";
  if (chosen.format->machines == nullptr) return "--format junit";
  return options.alpha ? "--alpha" : nullptr;
}

ExitCode run_machines(const std::vector<ComparedReport>& reports, const CompareOptions& options,
                      const ChosenOutput& chosen) {
  const char* option = gate_option(options, chosen);
  const auto published = std::find_if(reports.begin(), reports.end(),
                                      [](const ComparedReport& report) { return report.is_published(); });
  if (option != nullptr && published != reports.end())
    throw base::Error(base::ErrorKind::not_comparable,
                      std::string(option) + ": " + published->file +
                          " holds published figures, which have no launches, so there can be no verdict; "
                          "leave the option out");
  if (option != nullptr && reports.size() == 2)
    throw base::Error(base::ErrorKind::not_comparable,
                      std::string(option) + ": " + reports[0].file + " (" + reports[0].host.name + ") and " +
                          reports[1].file + " (" + reports[1].host.name +
                          ") are from different machines or devices; use --force to judge them anyway");
  if (option != nullptr)
    throw base::Error(
        base::ErrorKind::not_comparable,
        std::string(option) + ": verdicts need exactly two reports; give the old one and the new one");
  const report::MachineTable table = report::machine_table(reports);
  if (table.columns.size() < 2 && table.speed_ups.empty())
    throw base::usage_error(
        "nothing to compare; give two reports, or one report with cases on several devices");
  const report::MachineSummary summary = report::machine_summary(table);
  std::vector<std::string> notes = run::notes_of(report::comparability(summary.shared), options.force);
  if (!chosen.format->has_place_for_notes && summary.machines.empty()) {
    const std::vector<std::string> words = output::summary_words(summary);
    notes.insert(notes.begin(), words.begin(), words.end());
  }
  const std::size_t width =
      (chosen.is_stdout() ? line_width(STDOUT_FILENO) : std::nullopt).value_or(output::kUsualWidth);
  print(chosen.format->machines({table, summary, notes, is_coloured(options, chosen), width}), notes, chosen);
  return ExitCode::ok;
}

}  // namespace

CLI::App* add_compare_command(CLI::App& app, CompareOptions& options) {
  CLI::App* command = app.add_subcommand(
      "compare",
      "Show what changed between two reports of one machine, or show machines and devices side by side");
  command
      ->add_option("REPORT", options.files,
                   "the old report and the new one, or any number of reports from several machines")
      ->required();
  command->add_option("--gate-on", options.gate_on, suite::kGateOnHelp)->type_name("METRIC[=RATIO],...");
  command->add_option("--threshold", options.threshold, suite::kThresholdHelp)->type_name("RATIO");
  command->add_option("--alpha", options.alpha, suite::kAlphaHelp)->type_name("RATIO");
  command->add_flag("--fail-on-regression", options.fail_on_regression, suite::kFailOnRegressionHelp);
  command->add_flag("--fail-on-undecided", options.fail_on_undecided,
                    "exit with 1 when a case is undecided or could not be compared");
  command->add_flag("--force", options.force, "compare two reports that are not comparable");
  command
      ->add_option("--filter", options.filter, "compare only cases whose id matches this regular expression")
      ->type_name("RE");
  add_output_options(*command, options.output, printed_comparison());
  CLI::Option* color = command->add_option("--color", options.color, "auto, always or never (default: auto)")
                           ->type_name("WHEN");
  take_only_names(*color, "value", schema::names_of<suite::ColourChoice>());
  return command;
}

ExitCode run_compare(const CompareOptions& options) {
  (void)rules_of(options);  // reports a wrong option before reading large files
  const ChosenOutput chosen = chosen_output(options.output, printed_comparison(), options.files);
  std::vector<ComparedReport> reports = read_all(options.files);
  if (options.filter) keep_matching(reports, *options.filter);
  const bool any_published = std::any_of(reports.begin(), reports.end(),
                                         [](const ComparedReport& report) { return report.is_published(); });
  const bool gate = reports.size() == 2 && !any_published &&
                    (options.force || report::same_machine(reports[0], reports[1]));
  return gate ? run_gate(reports[0], reports[1], options, chosen) : run_machines(reports, options, chosen);
}

}  // namespace mpsbench::cli
