#include "cli/commands/list.hpp"

#include "base/resources.hpp"
#include "cli/commands/device_entries.hpp"
#include "cli/shell/only_names.hpp"
#include "dataset/catalog.hpp"
#include "model/build_network_plan.hpp"
#include "report/host/host_capture.hpp"
#include "suite/catalog.hpp"
#include "supervise/launch_runner.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <vector>

namespace mpsbench::cli {
namespace {

using nlohmann::ordered_json;

// Each entry is an object whose first key is its name.
ordered_json models() {
  const suite::Catalog catalog(base::share_folder());
  ordered_json entries = ordered_json::array();
  for (const std::string& name : catalog.model_names()) {
    const model::Definition definition = catalog.load_model(name);
    const schema::NetworkPlan plan = model::build_network_plan(definition, 1, std::nullopt, std::nullopt,
                                                               definition.loss, schema::Mode::infer);
    entries.push_back({{"model", name},
                       {"parameters", plan.parameters},
                       {"forward_macs_per_row", plan.forward_macs},
                       {"batch_size", definition.batch_size},
                       {"rows", definition.rows},
                       {"description", definition.description}});
  }
  return entries;
}

ordered_json suites() {
  const suite::Catalog catalog(base::share_folder());
  ordered_json entries = ordered_json::array();
  for (const std::string& name : catalog.suite_names()) {
    entries.push_back({{"suite", name}, {"description", catalog.load_suite(name).description}});
  }
  return entries;
}

ordered_json devices() {
  const schema::HostInfo host = report::read_machine("/");
  std::vector<schema::DeviceStatus> found = supervise::probe(base::worker_program()).devices;
  describe_cpu(found, host);
  return device_entries(found, host);
}

ordered_json datasets() {
  ordered_json entries = ordered_json::array();
  for (const dataset::DatasetInfo& one : dataset::datasets()) {
    ordered_json files = ordered_json::array();
    for (const dataset::PublishedFile& file : one.files) files.push_back(file.name);
    entries.push_back({{"dataset", to_string(one.dataset)},
                       {"train_rows", one.train_rows},
                       {"test_rows", one.test_rows},
                       {"description", one.description},
                       {"files", files}});
  }
  entries.push_back({{"dataset", to_string(schema::Dataset::synthetic)},
                     {"train_rows", nullptr},
                     {"test_rows", nullptr},
                     {"description", "one seeded batch that stays on the device and is used for every step"},
                     {"files", ordered_json::array()}});
  return entries;
}

ordered_json formats() {
  ordered_json entries = ordered_json::array();
  for (const output::ExportFormat& format : output::export_formats()) {
    entries.push_back({{"format", format.name},
                       {"ending", format.ending},
                       {"documents", output::documents_of(format)},
                       {"description", format.help}});
  }
  return entries;
}

Printed printed_list() {
  return {output::formats_with(&output::ExportFormat::list)};
}

}  // namespace

CLI::App* add_list_command(CLI::App& app, ListOptions& options) {
  CLI::App* command =
      app.add_subcommand("list", "List the models, suites, devices, datasets or formats that are available");
  CLI::Option* what =
      command->add_option("WHAT", options.what, "models, suites, devices, datasets or formats");
  take_only_names(*what->required(), "list", {"models", "suites", "devices", "datasets", "formats"});
  add_output_options(*command, options.output, printed_list());
  return command;
}

base::ExitCode run_list(const ListOptions& options) {
  const ChosenOutput chosen = chosen_output(options.output, printed_list());
  ordered_json entries;
  if (options.what == "models") entries = models();
  if (options.what == "suites") entries = suites();
  if (options.what == "devices") entries = devices();
  if (options.what == "datasets") entries = datasets();
  if (options.what == "formats") entries = formats();
  write_output(chosen.file, chosen.format->list(entries));
  return base::ExitCode::ok;
}

}  // namespace mpsbench::cli
