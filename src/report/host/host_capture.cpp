#include "report/host/host_capture.hpp"

#include "report/host/host_name.hpp"
#include "report/host/privacy.hpp"
#include "sensor/source.hpp"

#include <algorithm>
#include <limits>
#include <system_error>

extern "C" char** environ;  // NOLINT(readability-redundant-declaration): macOS has no declaration of it

namespace mpsbench::report {
namespace {

namespace fs = std::filesystem;

std::int64_t signed_bytes(std::uintmax_t bytes) {
  constexpr auto kMost = static_cast<std::uintmax_t>(std::numeric_limits<std::int64_t>::max());
  return static_cast<std::int64_t>(std::min(bytes, kMost));
}

// Reads the free space and the size of the file system of PLACE (empty: the current folder) or, if PLACE does
// not exist, of the nearest folder above it that does.
void read_disk(const fs::path& place, schema::HostInfo& host) {
  std::error_code error;
  fs::path folder = fs::absolute(place.empty() ? fs::path(".") : place, error);
  while (!error && folder.has_relative_path() && !fs::exists(folder, error)) folder = folder.parent_path();
  const fs::space_info space = fs::space(folder, error);
  if (error) return;
  host.disk_free_bytes = signed_bytes(space.available);
  host.disk_total_bytes = signed_bytes(space.capacity);
}

}  // namespace

schema::HostInfo capture_host(const std::optional<std::string>& name, const fs::path& results_place) {
  schema::HostInfo host = read_machine("/");
  host.name = name ? *name : host_name(host.cpu.model, state_folder());
  const sensor::Power power = sensor::read_power("/");
  host.power.source = power.source;
  host.power.mode = power.mode;
  read_disk(results_place, host);
  host.environment = captured_environment();
  return host;
}

std::map<std::string, std::string> captured_environment() {
  return allowed_environment(environ);
}

}  // namespace mpsbench::report
