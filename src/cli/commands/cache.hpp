// `mpsbench cache` shows how much the cache of packages holds, and removes them.
#pragma once

#include "base/error.hpp"
#include "cli/commands/output_file.hpp"
#include "run/package_cache.hpp"

#include <optional>

namespace CLI {
class App;
}

namespace mpsbench::cli {

struct CacheOptions {
  bool clear = false;
  OutputChoice output;
};

CLI::App* add_cache_command(CLI::App& app, CacheOptions& options);
// Throws Error(usage) if the cache's folder is not safe.
[[nodiscard]] base::ExitCode run_cache(const CacheOptions& options);

// Returns nullopt if no package was ever made. Throws Error(usage) if the cache's folder is not safe.
[[nodiscard]] std::optional<run::PackageCache> existing_cache();

}  // namespace mpsbench::cli
