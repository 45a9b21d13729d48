#include "base/resources.hpp"
#include "base/units.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/output_file.hpp"
#include "cli/shell/options.hpp"
#include "input/dataset/catalog.hpp"
#include "model/build_network_plan.hpp"
#include "output/text/text.hpp"
#include "report/host/host_capture.hpp"
#include "run/packages/packages.hpp"
#include "schema/field_json.hpp"
#include "suite/catalog.hpp"
#include "supervise/launch_runner.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

namespace mpsbench::cli {
namespace {

using nlohmann::ordered_json;
using run::PackageCache;

struct ListOptions {
  std::string what;
  OutputChoice output;
};

struct CacheOptions {
  bool clear = false;
  OutputChoice output;
};

constexpr std::size_t kShownKeyLength = 12;

// Each entry is an object whose first key is its name.
ordered_json models() {
  const suite::Catalog catalog(base::share_folder());
  ordered_json entries = ordered_json::array();
  for (const std::string& name : catalog.model_names()) {
    const model::Definition definition = catalog.load_model(name);
    const schema::NetworkPlan plan = model::build_network_plan(definition, 1, {}, definition.loss, schema::Mode::infer);
    entries.push_back({{"model", name},
                       {"parameters", plan.parameters},
                       {"forward_macs_per_row", plan.forward_macs},
                       {"batch_size", definition.batch_size},
                       {"rows", definition.rows},
                       {"generates", definition.continues_texts()},
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
  const std::optional<PackageCache> cache = existing_cache();
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

template <schema::Closed Enum>
ordered_json usable_of(const std::vector<schema::Offer<Enum>>& offers) {
  ordered_json names = ordered_json::array();
  for (const schema::Offer<Enum>& offer : offers) {
    if (offer.usable()) names.push_back(to_string(offer.value));
  }
  return names;
}

std::optional<std::int64_t> cores_of(const schema::DeviceStatus& status, const schema::HostInfo& host) {
  if (status.device.row().is_host) return host.cpu.physical_cores;
  const bool apple = status.device.kind == schema::DeviceKind::mps && status.usable;
  return apple ? host.gpu_cores : std::nullopt;
}

std::string bytes_text(std::int64_t bytes) {
  return base::format_bytes(static_cast<double>(bytes));
}

// What people also see of the list of packages, which may be empty.
std::string packages_table(const ordered_json& entries) {
  const std::string folder = output::printable(run::packages_folder().string());
  if (entries.empty()) return "no packages in " + folder + "; runs with --engine compiled make them\n";
  std::int64_t bytes = 0;
  for (const ordered_json& entry : entries) bytes += entry.at("size_bytes").get<std::int64_t>();
  return output::find_format("table")->list(entries) +
         fmt::format("{}, {} of at most {}, in {}\n", base::counted(entries.size(), "package", "packages"),
                     bytes_text(bytes), bytes_text(PackageCache::kMostBytes), folder);
}

struct Listed {
  const char* what;
  ordered_json (*entries)();
};
constexpr Listed kLists[] = {{"models", models},     {"suites", suites},   {"devices", devices},
                             {"datasets", datasets}, {"formats", formats}, {"packages", packages}};

base::ExitCode run_list(const ListOptions& options) {
  const ChosenOutput chosen = chosen_output(options.output, printed_lists());
  const ordered_json entries = std::ranges::find(kLists, options.what, &Listed::what)->entries();
  write_list(chosen, entries, options.what == "packages" ? std::optional(packages_table(entries)) : std::nullopt);
  return base::ExitCode::ok;
}

void show(const PackageCache::Size& size, const ChosenOutput& chosen) {
  const std::string folder = run::packages_folder().string();
  const ordered_json entry{{"folder", folder},
                           {"packages", size.packages},
                           {"size_bytes", size.bytes},
                           {"limit_bytes", PackageCache::kMostBytes}};
  write_list(chosen, ordered_json::array({entry}),
             fmt::format("folder    {}\npackages  {}\nsize      {}\nlimit     {}\n", output::printable(folder),
                         size.packages, bytes_text(size.bytes), bytes_text(PackageCache::kMostBytes)));
}

void show(const PackageCache::Cleared& done, const ChosenOutput& chosen) {
  const auto& [packages, bytes] = done.removed;
  const ordered_json entry{{"folder", run::packages_folder().string()},
                           {"removed", packages},
                           {"removed_bytes", bytes},
                           {"in_use", done.in_use}};
  std::string text = fmt::format("removed {}, {}\n", base::counted(packages, "package", "packages"), bytes_text(bytes));
  for (const std::string& name : done.in_use) text += "kept, because a run uses it: " + output::printable(name) + "\n";
  write_list(chosen, ordered_json::array({entry}), text);
}

base::ExitCode run_cache(const CacheOptions& options) {
  const ChosenOutput chosen = chosen_output(options.output, printed_lists());
  const std::optional<PackageCache> cache = existing_cache();
  if (options.clear) {
    show(cache ? cache->clear() : PackageCache::Cleared{}, chosen);
  } else {
    show(cache ? cache->size() : PackageCache::Size{}, chosen);
  }
  return base::ExitCode::ok;
}

}  // namespace

std::optional<PackageCache> existing_cache() {
  const std::filesystem::path folder = run::packages_folder();
  std::error_code failure;
  if (std::filesystem::symlink_status(folder, failure).type() == std::filesystem::file_type::not_found)
    return std::nullopt;
  return PackageCache(folder);
}

void describe_cpu(std::vector<schema::DeviceStatus>& devices, const schema::HostInfo& host) {
  for (schema::DeviceStatus& status : devices) {
    if (!status.device.row().is_host) continue;
    if (!host.cpu.model.empty()) status.name = host.cpu.model;
    if (host.memory_bytes > 0) status.memory_bytes = host.memory_bytes;
  }
}

ordered_json device_entries(const std::vector<schema::DeviceStatus>& devices, const schema::HostInfo& host) {
  ordered_json entries = ordered_json::array();
  for (const schema::DeviceStatus& status : devices) {
    entries.push_back({{"device", to_string(status.device)},
                       {"name", status.name},
                       {"built_in", status.built_in},
                       {"usable", status.usable},
                       {"cores", schema::to_json(cores_of(status, host))},
                       {"memory_bytes", schema::to_json(status.memory_bytes)},
                       {"unified_memory", schema::to_json(status.unified_memory)},
                       {"capability", schema::to_json(status.capability)},
                       {"precisions", usable_of(status.precisions)},
                       {"engines", usable_of(status.engines)},
                       {"reason", status.reason}});
  }
  return entries;
}

void add_list_command(CLI::App& app, Action& chosen) {
  const auto [command, options] =
      add_command(app, chosen, "list",
                  "List the models, suites, devices, datasets, formats or packages that are available", run_list);
  CLI::Option* what =
      command.add_option("WHAT", options.what, "models, suites, devices, datasets, formats or packages");
  std::vector<std::string> names;
  for (const Listed& one : kLists) names.emplace_back(one.what);
  take_only_names(*what->required(), "list", names);
  add_output_options(command, options.output, printed_lists());
}

void add_cache_command(CLI::App& app, Action& chosen) {
  const auto [command, options] = add_command(
      app, chosen, "cache",
      "Show the size of the cache of packages (the networks that --engine compiled runs), or clear it", run_cache);
  command.add_flag("--clear", options.clear, "remove all packages that no run uses");
  add_output_options(command, options.output, printed_lists());
}

}  // namespace mpsbench::cli
