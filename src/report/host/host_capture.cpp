#include "report/host/host_capture.hpp"

#include "base/atomic_file.hpp"
#include "base/environment.hpp"
#include "base/error.hpp"
#include "base/hex.hpp"
#include "base/json_file.hpp"
#include "base/units.hpp"
#include "report/host/machine_cache.hpp"
#include "report/host/privacy.hpp"
#include "sensor/source.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <limits>
#include <system_error>

namespace mpsbench::report {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kIdLength = 4;
constexpr std::size_t kLongestSlug = 40;

// The runs of letters and digits in TEXT, in lower case.
std::vector<std::string> words(std::string_view text) {
  std::vector<std::string> found;
  bool inside = false;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool letter = byte < 0x80 && std::isalnum(byte) != 0;
    if (letter && !inside) found.emplace_back();
    if (letter) found.back() += static_cast<char>(std::tolower(byte));
    inside = letter;
  }
  return found;
}

bool is_filler(const std::string& word) {
  constexpr std::string_view kFillers[] = {"intel",     "amd",  "apple", "arm",      "r",      "tm",   "cpu",
                                           "processor", "with", "gen",   "graphics", "radeon", "core", "cores"};
  return std::ranges::find(kFillers, word) != std::end(kFillers);
}

bool is_id(std::string_view text) {
  return text.size() == kIdLength && text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// Returns the id in the state file or, if there is none, a new id, which it writes there if possible.
std::string kept_id(const fs::path& folder) {
  const fs::path file = folder / "host-id";
  std::error_code ignored;
  if (fs::is_regular_file(file, ignored)) {
    try {
      const std::string id = base::read_text_file(file, 64).substr(0, kIdLength);
      if (is_id(id)) return id;
    } catch (const base::Error&) {  // NOLINT(bugprone-empty-catch): an unreadable file counts as missing
    }
  }
  const std::string id = base::random_hex(kIdLength);
  try {
    fs::create_directories(folder, ignored);
    if (!ignored) base::write_file(file, id + "\n");
  } catch (const base::Error&) {  // NOLINT(bugprone-empty-catch): if unwritable, the name changes each time
  }
  return id;
}

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

std::string slug(std::string_view cpu_model) {
  // "@ 2.80GHz" is the clock rate, not part of the model.
  std::string text;
  for (const std::string& word : words(cpu_model.substr(0, cpu_model.find('@')))) {
    if (is_filler(word)) continue;
    if (text.size() + word.size() + 1 > kLongestSlug) break;
    text += (text.empty() ? "" : "-") + word;
  }
  return text.empty() ? "machine" : text;
}

std::string host_name(std::string_view cpu_model, const fs::path& folder) {
  return slug(cpu_model) + "-" + kept_id(folder);
}

std::vector<std::int64_t> numa_nodes(const std::filesystem::path& root, const std::vector<int>& cpus) {
  constexpr std::string_view kPrefix = "node";
  std::vector<std::int64_t> nodes;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(root / "sys/devices/system/node", error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(kPrefix)) continue;
    const auto node = base::parse_whole_number(name.substr(kPrefix.size()));
    const auto own = base::parse_cpu_list(base::read_first_line(entry.path() / "cpulist"));
    if (node && own && std::ranges::find_first_of(cpus, *own) != cpus.end()) nodes.push_back(*node);
  }
  std::ranges::sort(nodes);
  return nodes;
}

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
  return allowed_environment(base::environment());
}

}  // namespace mpsbench::report
