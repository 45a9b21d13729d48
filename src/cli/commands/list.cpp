#include "cli/commands/list.hpp"

#include "base/json_file.hpp"
#include "base/resources.hpp"
#include "base/units.hpp"
#include "dataset/catalog.hpp"
#include "model/build_network_plan.hpp"
#include "output/text/grid.hpp"
#include "output/text/quoting.hpp"
#include "suite/catalog.hpp"
#include "supervise/launch_runner.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <cstdio>
#include <optional>
#include <vector>

namespace mpsbench::cli {
namespace {

using nlohmann::ordered_json;

template <typename T>
ordered_json or_null(const std::optional<T>& value) {
  return value ? ordered_json(*value) : ordered_json(nullptr);
}

// Each entry an object; the first key is the name.
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

template <schema::Closed Enum>
ordered_json usable_of(const std::vector<schema::Offer<Enum>>& offers) {
  ordered_json names = ordered_json::array();
  for (const schema::Offer<Enum>& offer : offers) {
    if (offer.usable()) names.push_back(to_string(offer.value));
  }
  return names;
}

ordered_json devices() {
  ordered_json entries = ordered_json::array();
  for (const schema::DeviceStatus& status : supervise::probe(base::worker_program()).devices) {
    entries.push_back({{"device", to_string(status.device)},
                       {"name", status.name},
                       {"built_in", status.built_in},
                       {"usable", status.usable},
                       {"memory_bytes", or_null(status.memory_bytes)},
                       {"unified_memory", or_null(status.unified_memory)},
                       {"capability", or_null(status.capability)},
                       {"precisions", usable_of(status.precisions)},
                       {"engines", usable_of(status.engines)},
                       {"reason", status.reason}});
  }
  return entries;
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
                     {"description", "one seeded batch, resident on the device, used for every step"},
                     {"files", ordered_json::array()}});
  return entries;
}

std::string texts_of(const ordered_json& list) {
  std::string text;
  for (const ordered_json& item : list) text += (text.empty() ? "" : ", ") + item.get<std::string>();
  return text;
}

std::string cell(const ordered_json& value) {
  if (value.empty()) return "–";  // null or an empty list; a text is not empty() in JSON
  if (value.is_array()) return texts_of(value);
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_number_integer()) return base::format_count(value.get<std::int64_t>());
  return value.get<std::string>();
}

output::Grid grid_of(const ordered_json& entries) {
  output::Grid grid;
  for (const auto& [key, value] : entries.front().items()) {
    grid.titles.push_back(key);
    grid.right.push_back(value.is_number());
  }
  for (const ordered_json& entry : entries) {
    output::Grid::Row& row = grid.rows.emplace_back();
    for (const auto& [key, value] : entry.items()) row.cells.push_back(cell(value));
  }
  return grid;
}

std::string csv(const ordered_json& entries) {
  std::vector<ordered_json> rows(entries.begin(), entries.end());
  for (ordered_json& row : rows) {
    for (ordered_json& value : row) {
      if (value.is_array()) value = texts_of(value);
    }
  }
  return output::csv_of(rows);
}

std::string json_lines(const ordered_json& entries) {
  std::string text;
  for (const ordered_json& entry : entries) text += base::to_text(entry) + "\n";
  return text;
}

std::string text_of(const ordered_json& entries, const std::string& format) {
  if (format == "json") return base::to_text(entries, 1) + "\n";
  if (format == "jsonl") return json_lines(entries);
  if (format == "csv") return csv(entries);
  if (format == "md") return output::markdown(grid_of(entries));
  return output::aligned(grid_of(entries), false);
}

}  // namespace

CLI::App* add_list_command(CLI::App& app, ListOptions& options) {
  CLI::App* command = app.add_subcommand("list", "Show what there is: models, suites, devices or datasets");
  command->add_option("WHAT", options.what, "models, suites, devices or datasets")
      ->required()
      ->check(CLI::IsMember({"models", "suites", "devices", "datasets"}));
  command->add_option("-o,--output", options.format, "table, md, csv, json or jsonl (default: table)")
      ->type_name("FORMAT")
      ->check(CLI::IsMember({"table", "md", "csv", "json", "jsonl"}));
  return command;
}

base::ExitCode run_list(const ListOptions& options) {
  ordered_json entries;
  if (options.what == "models") entries = models();
  if (options.what == "suites") entries = suites();
  if (options.what == "devices") entries = devices();
  if (options.what == "datasets") entries = datasets();
  std::fputs(text_of(entries, options.format).c_str(), stdout);
  return base::ExitCode::ok;
}

}  // namespace mpsbench::cli
