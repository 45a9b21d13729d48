#include "report/compare/compare.hpp"

#include "base/log.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/output_file.hpp"
#include "cli/shell/options.hpp"
#include "cli/shell/terminal.hpp"
#include "output/console/machines_table.hpp"
#include "output/text/text.hpp"
#include "report/compare/machine_summary.hpp"
#include "report/compare/machines.hpp"
#include "report/compare/required_launches.hpp"
#include "run/gate/gate.hpp"
#include "run/plan/places.hpp"
#include "suite/case_id.hpp"

#include <CLI/CLI.hpp>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <future>
#include <iterator>
#include <map>
#include <regex>
#include <string_view>
#include <tuple>
#include <utility>

namespace mpsbench::cli {
namespace {

struct CompareOptions {
  std::vector<std::string> files;
  suite::Settings settings;  // of the options that `run` has, too
  OutputChoice output;
};

using base::ExitCode;
using report::ComparedReport;

report::CompareRules rules_of(const CompareOptions& options) {
  report::CompareRules rules;
  rules.gate_on = options.settings.gate_on.value_or(std::move(rules.gate_on));
  rules.threshold = options.settings.threshold.optional();
  rules.alpha = options.settings.alpha.value_or(rules.alpha);
  return rules;
}

bool is_coloured(const CompareOptions& options, const ChosenOutput& chosen) {
  return chosen.is_stdout() ? use_colour(options.settings, STDOUT_FILENO)
                            : options.settings.color.optional() == suite::ColourChoice::always;
}

// Two reports of one run, or one that was merged with the other, would be compared with themselves.
void require_other_runs(const std::vector<ComparedReport>& reports) {
  std::map<std::string_view, const ComparedReport*> runs;
  std::map<std::tuple<double, double, std::string_view, std::string_view>, const ComparedReport*> launches;
  for (const ComparedReport& report : reports) {
    const auto [earlier, is_new] = runs.emplace(report.run_id, &report);
    if (!is_new)
      throw base::usage_error(earlier->second->file + " and " + report.file +
                              " are reports of the same run, so there is no change to see; give reports of two runs");
    for (const report::ComparedCase& result : report.cases) {
      for (const report::ComparedLaunch& launch : result.launches) {
        const auto [known, is_own] =
            launches.try_emplace({launch.step_seconds, launch.wall_seconds, launch.started_at, result.id}, &report);
        if (!is_own && known->second != &report)
          throw base::usage_error(known->second->file + " and " + report.file + " have launches of " + result.id +
                                  " in common, so they cannot be compared; give reports of different runs");
      }
    }
  }
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
  require_other_runs(reports);
  return reports;
}

// Removes the cases that do not match PATTERN.
void keep_matching(std::vector<ComparedReport>& reports, const std::string& pattern) {
  const std::regex filter = suite::case_filter(pattern);
  for (ComparedReport& report : reports) {
    std::erase_if(report.cases, [&](const report::ComparedCase& result) { return !suite::passes(result.id, filter); });
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
  std::vector<std::string> notes = run::notes_of(report::comparability(before, after), options.settings.force.is_on());
  const report::SpreadStore calibration(report::cache_folder());
  const report::Comparison comparison =
      report::compare(before, after, rules_of(options), calibration.spread_of(after.host));
  if (std::ranges::all_of(comparison.cases, [](const auto& pair) { return !pair.before || !pair.after; }))
    notes.insert(notes.begin(), "no case is in both reports. " + output::nearest_words(after, before));
  const output::ComparisonDocument document{comparison, notes, is_coloured(options, chosen),
                                            options.settings.fail_on_undecided.is_on()};
  print(chosen.format->comparison(document), notes, chosen);
  run::advise_turns(comparison);
  return run::comparison_outcome(
      comparison, {options.settings.fail_on_regression.is_on(), options.settings.fail_on_undecided.is_on()});
}

// Throws Error(not_comparable) if an option was given that needs verdicts, which only the gate has. The tests
// of junit are verdicts.
void refuse_verdicts(const std::vector<ComparedReport>& reports, const CompareOptions& options,
                     const ChosenOutput& chosen) {
  const suite::Settings& settings = options.settings;
  const std::pair<const char*, bool> wanted[] = {{"--fail-on-regression", settings.fail_on_regression.is_on()},
                                                 {"--fail-on-undecided", settings.fail_on_undecided.is_on()},
                                                 {"--gate-on", settings.gate_on.has()},
                                                 {"--threshold", settings.threshold.has()},
                                                 {"--format junit", chosen.format->machines == nullptr},
                                                 {"--alpha", settings.alpha.has()}};
  const auto found = std::ranges::find(wanted, true, &std::pair<const char*, bool>::second);
  if (found == std::end(wanted)) return;
  std::string why = "verdicts need exactly two reports; give the old one and the new one";
  const auto published = std::ranges::find_if(reports, &ComparedReport::is_published);
  if (published != reports.end()) {
    why = published->file +
          " holds published figures, which have no launches, so there can be no verdict; leave the option out";
  } else if (reports.size() == 2) {
    why = reports[0].file + " (" + reports[0].host.name + ") and " + reports[1].file + " (" + reports[1].host.name +
          ") are from different machines or devices; use --force to judge them anyway";
  }
  throw base::Error(base::ErrorKind::not_comparable, std::string(found->first) + ": " + why);
}

ExitCode run_machines(const std::vector<ComparedReport>& reports, const CompareOptions& options,
                      const ChosenOutput& chosen) {
  refuse_verdicts(reports, options, chosen);
  const report::MachineTable table = report::machine_table(reports);
  if (table.columns.size() < 2 && table.speed_ups.empty())
    throw base::usage_error("nothing to compare; give two reports, or one report with cases on several devices");
  const report::MachineSummary summary = report::machine_summary(table);
  std::vector<std::string> notes = run::notes_of(report::comparability(summary.shared), options.settings.force.is_on());
  if (!chosen.format->has_place_for_notes && summary.machines.empty()) {
    const std::vector<std::string> words = output::summary_words(summary);
    notes.insert(notes.begin(), words.begin(), words.end());
  }
  const std::size_t width =
      (chosen.is_stdout() ? line_width(STDOUT_FILENO) : std::nullopt).value_or(output::kUsualWidth);
  print(chosen.format->machines({table, summary, notes, is_coloured(options, chosen), width}), notes, chosen);
  return ExitCode::ok;
}

ExitCode run_compare(const CompareOptions& options) {
  const ChosenOutput chosen = chosen_output(options.output, printed_comparison(), options.files);
  std::vector<ComparedReport> reports = read_all(options.files);
  if (options.settings.filter.has()) keep_matching(reports, options.settings.filter.value());
  const bool gate = reports.size() == 2 && std::ranges::none_of(reports, &ComparedReport::is_published) &&
                    (options.settings.force.is_on() || report::same_machine(reports[0], reports[1]));
  return gate ? run_gate(reports[0], reports[1], options, chosen) : run_machines(reports, options, chosen);
}

}  // namespace

void add_compare_command(CLI::App& app, Action& chosen) {
  const auto [command, options] = add_command(
      app, chosen, "compare",
      "Show what changed between two reports of one machine, or show machines and devices side by side", run_compare);
  command
      .add_option("REPORT", options.files,
                  "the old report and the new one, or any number of reports from several machines")
      ->required();
  add_options(command, {"gate-on", "threshold", "alpha", "fail-on-regression", "fail-on-undecided", "force", "filter"},
              options.settings);
  add_output_options(command, options.output, printed_comparison());
  add_options(command, {"color"}, options.settings);
}

}  // namespace mpsbench::cli
