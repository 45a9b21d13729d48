#include "base/resources.hpp"
#include "base/units.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/device_entries.hpp"
#include "cli/commands/output_file.hpp"
#include "cli/shell/options.hpp"
#include "input/dataset/catalog.hpp"
#include "model/build_network_plan.hpp"
#include "output/text/text.hpp"
#include "report/host/host_capture.hpp"
#include "run/packages/packages.hpp"
#include "suite/catalog.hpp"
#include "supervise/launch_runner.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <memory>
#include <string>
#include <vector>

namespace mpsbench::cli {
namespace {

struct ListOptions {
  std::string what;
  OutputChoice output;
};

using nlohmann::ordered_json;

constexpr std::size_t kShownKeyLength = 12;

// Each entry is an object whose first key is its name.
ordered_json models() {
  const suite::Catalog catalog(base::share_folder());
  ordered_json entries = ordered_json::array();
  for (const std::string& name : catalog.model_names()) {
    const model::Definition definition = catalog.load_model(name);
    const schema::NetworkPlan plan =
        model::build_network_plan(definition, 1, std::nullopt, std::nullopt, definition.loss, schema::Mode::infer);
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

ordered_json packages() {
  ordered_json entries = ordered_json::array();
  const std::optional<run::PackageCache> cache = existing_cache();
  if (!cache) return entries;
  for (const run::CachedPackage& one : cache->list()) {
    entries.push_back({{"package", one.key.substr(0, kShownKeyLength)},
                       {"case", one.case_id},
                       {"size_bytes", one.bytes},
                       {"libtorch", one.libtorch},
                       {"compile_seconds", one.compile_seconds},
                       {"made_at", one.created_at},
                       {"used_at", one.used_at}});
  }
  return entries;
}

// What people also see of the list of packages, which may be empty.
std::string packages_table(const ordered_json& entries, const output::ExportFormat& table) {
  const std::string folder = output::printable(run::packages_folder().string());
  if (entries.empty()) return "no packages in " + folder + "; runs with --engine compiled make them\n";
  std::int64_t bytes = 0;
  for (const ordered_json& entry : entries) bytes += entry.at("size_bytes").get<std::int64_t>();
  return table.list(entries) + base::counted(entries.size(), "package", "packages") + ", " +
         base::format_bytes(static_cast<double>(bytes)) + " of at most " +
         base::format_bytes(static_cast<double>(run::PackageCache::kMostBytes)) + ", in " + folder + "\n";
}

Printed printed_list() {
  return {output::formats_with(&output::ExportFormat::list)};
}

base::ExitCode run_list(const ListOptions& options) {
  const ChosenOutput chosen = chosen_output(options.output, printed_list());
  ordered_json entries;
  if (options.what == "models") entries = models();
  if (options.what == "suites") entries = suites();
  if (options.what == "devices") entries = devices();
  if (options.what == "datasets") entries = datasets();
  if (options.what == "formats") entries = formats();
  if (options.what == "packages") entries = packages();
  const bool has_total = options.what == "packages" && chosen.format->name == "table";
  write_output(chosen.file, has_total ? packages_table(entries, *chosen.format) : chosen.format->list(entries));
  return base::ExitCode::ok;
}

}  // namespace

void add_list_command(CLI::App& app, Action& chosen) {
  CLI::App* command =
      app.add_subcommand("list", "List the models, suites, devices, datasets, formats or packages that are available");
  const auto options = std::make_shared<ListOptions>();
  CLI::Option* what =
      command->add_option("WHAT", options->what, "models, suites, devices, datasets, formats or packages");
  take_only_names(*what->required(), "list", {"models", "suites", "devices", "datasets", "formats", "packages"});
  add_output_options(*command, options->output, printed_list());
  command->callback([&chosen, options] { chosen = [options] { return run_list(*options); }; });
}

}  // namespace mpsbench::cli
