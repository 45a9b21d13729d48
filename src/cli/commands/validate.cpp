#include "base/json_file.hpp"
#include "base/json_reader.hpp"
#include "base/log.hpp"
#include "base/resources.hpp"
#include "base/units.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/output_file.hpp"
#include "model/build_network_plan.hpp"
#include "output/text/text.hpp"
#include "report/compare/compared_report.hpp"
#include "report/host/host_capture.hpp"
#include "report/metrics/assemble.hpp"
#include "schema/report.hpp"
#include "suite/catalog.hpp"
#include "suite/plan_cases.hpp"
#include "supervise/journal.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <utility>

namespace mpsbench::cli {
namespace {

struct ValidateOptions {
  std::vector<std::string> files;
  OutputChoice output;
};

std::string check_model(nlohmann::json document, const std::string& file) {
  const model::Definition definition = model::read_definition(std::move(document), file);
  const schema::NetworkPlan plan =
      model::build_network_plan(definition, definition.batch_size, {}, definition.loss, schema::Mode::train);
  return "model " + definition.name + ", " + base::format_count(plan.parameters) + " parameters, " +
         base::counted(plan.nodes.size(), "layer", "layers");
}

// Also checks every case: the models, batch sizes and weights that the suite names. Skips the files of data
// sets, which may be on another machine.
std::string check_suite(const nlohmann::json& document, const std::string& file) {
  const suite::Suite suite = suite::read_suite(document, file);
  suite::Settings without_files;
  without_files.dataset.set(schema::Dataset::synthetic, file);
  // Without its data set, a matrix may have the same ids as others, so it is checked alone.
  std::vector<std::vector<suite::Settings>> parts(1);
  for (const suite::Settings& matrix : suite.matrices) {
    const bool has_files = matrix.dataset.value_or(schema::Dataset::synthetic) != schema::Dataset::synthetic;
    (has_files ? parts.emplace_back() : parts.front()).push_back(matrix.overlaid_with(without_files));
  }
  // Whether a suite is well-formed does not depend on the machine, so the devices are not probed.
  const std::vector<schema::DeviceStatus> cpu{{.device = "cpu", .built_in = true, .usable = true}};
  const suite::Catalog catalog(base::share_folder());
  std::size_t cases = 0;
  for (const std::vector<suite::Settings>& matrices : parts) {
    if (matrices.empty()) continue;
    const suite::PlannedCases plan =
        suite::plan_cases(matrices, catalog, {report::usable_cores(), 0, [&cpu]() -> const auto& { return cpu; }});
    cases += plan.cases.size() + plan.open.size();
  }
  return "suite " + suite.name + ", " + base::counted(cases, "case", "cases");
}

std::string count_of(std::size_t cases, std::size_t launches) {
  return base::counted(cases, "case", "cases") + ", " + base::counted(launches, "launch", "launches");
}

std::string check_report(const nlohmann::json& document, const std::string& file) {
  const base::UnknownKeys unknown;
  schema::Report report = schema::from_json<schema::Report>(base::Reader(document, file));
  if (const std::string words = unknown.words(file); !words.empty()) base::log::warn(words);
  for (const report::Unfounded& one : report::recompute(report, document))
    throw base::usage_error(file + ": $.cases[" + std::to_string(one.number) + "].metrics." + one.key + " is " +
                            base::excerpt(one.stored) + ", which does not follow from the samples" +
                            (one.computed.empty() ? "" : ", which give " + one.computed) + "; mpsbench export " + file +
                            " --format json computes the metrics again");
  (void)report::read_compared_report(file);  // compare and the gate read it like this
  std::size_t launches = 0;
  for (const schema::CaseResult& result : report.cases) launches += result.launches.size();
  return "report of " + report.host.name + ", " + count_of(report.cases.size(), launches);
}

std::string check_journal(const std::string& file) {
  const schema::RunRecord record = supervise::Journal::load(file);
  std::size_t launches = 0;
  for (const auto& [id, done] : record.launches) launches += done.size();
  return "journal of " + record.host.name + ", " + count_of(record.run.planned.size(), launches) + " done";
}

base::ExitCode run_validate(const ValidateOptions& options) {
  const ChosenOutput chosen = chosen_output(options.output, printed_lists());
  base::ExitCode code = base::ExitCode::ok;
  nlohmann::ordered_json entries = nlohmann::ordered_json::array();
  std::string lines;
  for (const std::string& file : options.files) {
    try {
      const std::string found = validate_file(file);
      lines += output::printable(file) + ": ok: " + output::printable(found) + "\n";
      entries.push_back({{"file", file}, {"valid", true}, {"message", found}});
    } catch (const base::Error& error) {
      std::fprintf(stderr, "mpsbench: %s\n", output::printable(error.what()).c_str());
      entries.push_back({{"file", file}, {"valid", false}, {"message", error.what()}});
      code = base::worse(code, base::exit_code(error.kind()));
    }
  }
  write_list(chosen, entries, lines);
  return code;
}

}  // namespace

std::string validate_file(const std::string& file) {
  if (supervise::Journal::is_journal(file)) return check_journal(file);
  nlohmann::json document = base::read_large_json_file(file);
  const auto has = [&document](const char* key) { return document.is_object() && document.contains(key); };
  const bool is_suite = has("matrices");
  const bool is_model = has("layers");
  if (has("schema_version") && !is_suite && !is_model) return check_report(document, file);
  // Models and suites are small and are read again, with the limits of read_json_file().
  // Frees the first reading before.
  document = nullptr;
  if (is_suite) return check_suite(base::read_json_file(file), file);
  if (is_model) return check_model(base::read_json_file(file), file);
  throw base::usage_error(file +
                          ": $: this is no model (no key 'layers'), suite (no 'matrices') or report (no "
                          "'schema_version'); check the file");
}

void add_validate_command(CLI::App& app, Action& chosen) {
  const auto [command, options] = add_command(
      app, chosen, "validate", "Check models, suites, reports and journals; errors give the JSON path", run_validate);
  command.add_option("FILE", options.files, "files to check")->required();
  add_output_options(command, options.output, printed_lists());
}

}  // namespace mpsbench::cli
