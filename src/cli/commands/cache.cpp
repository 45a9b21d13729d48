#include "base/units.hpp"
#include "cli/commands/commands.hpp"
#include "cli/commands/output_file.hpp"
#include "output/text/text.hpp"
#include "run/packages/packages.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <memory>
#include <string>
#include <system_error>

namespace mpsbench::cli {
namespace {

struct CacheOptions {
  bool clear = false;
  OutputChoice output;
};

namespace fs = std::filesystem;
using nlohmann::ordered_json;
using run::PackageCache;

// What a command prints, for people and for programs.
struct Told {
  std::string text;
  ordered_json entry;
};

std::string bytes_text(std::int64_t bytes) {
  return base::format_bytes(static_cast<double>(bytes));
}

Told shown(const PackageCache::Size& size) {
  const std::string folder = run::packages_folder().string();
  return {fmt::format("folder    {}\npackages  {}\nsize      {}\nlimit     {}\n", output::printable(folder),
                      size.packages, bytes_text(size.bytes), bytes_text(PackageCache::kMostBytes)),
          {{"folder", folder},
           {"packages", size.packages},
           {"size_bytes", size.bytes},
           {"limit_bytes", PackageCache::kMostBytes}}};
}

Told cleared(const PackageCache::Cleared& done) {
  const PackageCache::Size& removed = done.removed;
  std::string text = fmt::format("removed {}, {}\n", base::counted(removed.packages, "package", "packages"),
                                 bytes_text(removed.bytes));
  for (const std::string& name : done.in_use) text += "kept, because a run uses it: " + output::printable(name) + "\n";
  return {text,
          {{"folder", run::packages_folder().string()},
           {"removed", removed.packages},
           {"removed_bytes", removed.bytes},
           {"in_use", done.in_use}}};
}

Printed printed_cache() {
  return {output::formats_with(&output::ExportFormat::list)};
}

base::ExitCode run_cache(const CacheOptions& options) {
  const ChosenOutput chosen = chosen_output(options.output, printed_cache());
  const std::optional<PackageCache> cache = existing_cache();
  const Told told = options.clear ? cleared(cache ? cache->clear() : PackageCache::Cleared{})
                                  : shown(cache ? cache->size() : PackageCache::Size{});
  const bool is_table = chosen.format->name == "table";
  write_output(chosen.file, is_table ? told.text : chosen.format->list(ordered_json::array({told.entry})));
  return base::ExitCode::ok;
}

}  // namespace

std::optional<PackageCache> existing_cache() {
  const fs::path folder = run::packages_folder();
  std::error_code failure;
  if (fs::symlink_status(folder, failure).type() == fs::file_type::not_found) return std::nullopt;
  return PackageCache(folder);
}

void add_cache_command(CLI::App& app, Action& chosen) {
  CLI::App* command = app.add_subcommand(
      "cache", "Show the size of the cache of packages (the networks that --engine compiled runs), or clear it");
  const auto options = std::make_shared<CacheOptions>();
  command->add_flag("--clear", options->clear, "remove all packages that no run uses");
  add_output_options(*command, options->output, printed_cache());
  command->callback([&chosen, options] { chosen = [options] { return run_cache(*options); }; });
}

}  // namespace mpsbench::cli
