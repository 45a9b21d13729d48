#include "base/system_files.hpp"
#include "base/units.hpp"
#include "report/host/host_capture.hpp"

#include <sys/utsname.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>
#include <utility>

namespace mpsbench::report {
namespace {

namespace fs = std::filesystem;

constexpr const char* kCpuFolder = "sys/devices/system/cpu";

using Values = std::map<std::string, std::string>;

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

std::string_view unquote(std::string_view text) {
  const bool quoted = text.size() >= 2 && text.front() == text.back() && (text.front() == '"' || text.front() == '\'');
  return quoted ? text.substr(1, text.size() - 2) : text;
}

// Parses "KEY<separator>VALUE" lines. Removes blanks around keys and values, and quotes around values. If a
// key occurs twice, its first line counts.
Values key_values(const std::string& text, char separator) {
  Values values;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    const std::string_view whole = line;
    const std::size_t at = whole.find(separator);
    if (at != std::string_view::npos) values.emplace(trim(whole.substr(0, at)), unquote(trim(whole.substr(at + 1))));
  }
  return values;
}

std::string value_of(const Values& values, const std::string& key) {
  const auto found = values.find(key);
  return found == values.end() ? "" : found->second;
}

using CpuBlocks = std::vector<Values>;

CpuBlocks read_blocks(const fs::path& root) {
  const std::string text = base::read_system_file(root / "proc/cpuinfo");
  CpuBlocks blocks;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find("\n\n", at), text.size());
    Values block = key_values(text.substr(at, end - at), ':');
    if (block.contains("processor")) blocks.push_back(std::move(block));
    at = end + 2;
  }
  return blocks;
}

// Names of Arm cores by "implementer part", from the manuals of Arm and the vendors.
std::string arm_core_name(const std::string& implementer, const std::string& part) {
  static const Values kNames{
      {"0x41 0xd03", "Cortex-A53"},  {"0x41 0xd05", "Cortex-A55"},  {"0x41 0xd07", "Cortex-A57"},
      {"0x41 0xd08", "Cortex-A72"},  {"0x41 0xd09", "Cortex-A73"},  {"0x41 0xd0a", "Cortex-A75"},
      {"0x41 0xd0b", "Cortex-A76"},  {"0x41 0xd0c", "Neoverse-N1"}, {"0x41 0xd40", "Neoverse-V1"},
      {"0x41 0xd41", "Cortex-A78"},  {"0x41 0xd44", "Cortex-X1"},   {"0x41 0xd49", "Neoverse-N2"},
      {"0x41 0xd4f", "Neoverse-V2"}, {"0xc0 0xac3", "Ampere-1"},    {"0xc0 0xac4", "Ampere-1A"},
      {"0x61 0x022", "Apple M1"},    {"0x61 0x023", "Apple M1"}};
  const std::string name = value_of(kNames, implementer + " " + part);
  return name.empty() ? "Arm " + implementer + "/" + part : name;
}

// Returns, for example, "AMD EPYC 7763" or "Cortex-A76 + Cortex-A55". If the CPU has no name, returns the board's.
std::string model_name(const CpuBlocks& blocks, const fs::path& root) {
  std::vector<std::string> names;
  std::string joined;
  for (const Values& block : blocks) {
    std::string name = value_of(block, "model name");
    const std::string part = value_of(block, "CPU part");
    if (!part.empty()) name = arm_core_name(value_of(block, "CPU implementer"), part);
    if (name.empty() || std::ranges::find(names, name) != names.end()) continue;
    names.push_back(name);
    joined += (joined.empty() ? "" : " + ") + name;
  }
  if (joined.empty()) joined = base::read_first_line(root / "proc/device-tree/model");
  return joined.empty() ? "unknown" : joined;
}

// The kernel's names of features, each followed by ours.
constexpr const char* kFeatures =
    "sse4_2 sse4.2  avx avx  f16c f16c  fma fma  avx2 avx2  avx_vnni avx_vnni  avx512f avx512f  "
    "avx512_vnni avx512_vnni  avx512_bf16 avx512_bf16  avx512_fp16 avx512_fp16  amx_tile amx  amx_bf16 amx_bf16  "
    "amx_int8 amx_int8  asimd neon  asimdhp fp16  asimddp dotprod  bf16 bf16  i8mm i8mm  sve sve  sve2 sve2  sme sme";

std::vector<std::string> features_of(const CpuBlocks& blocks) {
  std::set<std::string> present;
  if (!blocks.empty()) {
    std::istringstream words(value_of(blocks.front(), "flags") + " " + value_of(blocks.front(), "Features"));
    for (std::string word; words >> word;) present.insert(word);
  }
  std::vector<std::string> features;
  std::istringstream names(kFeatures);
  for (std::string kernel_name, name; names >> kernel_name >> name;) {
    if (present.contains(kernel_name)) features.push_back(name);
  }
  return features;
}

std::vector<int> read_cpu_list(const fs::path& file) {
  return base::parse_cpu_list(base::read_first_line(file)).value_or(std::vector<int>());
}

fs::path cpu_folder(const fs::path& root, int cpu) {
  return root / kCpuFolder / ("cpu" + std::to_string(cpu));
}

// Returns the number of physical cores behind these logical CPUs, or nullopt if the kernel does not report their cores.
std::optional<std::int64_t> physical_cores_of(const fs::path& root, const std::vector<int>& cpus) {
  std::set<std::pair<std::int64_t, std::int64_t>> cores;
  for (const int cpu : cpus) {
    const fs::path topology = cpu_folder(root, cpu) / "topology";
    const auto core = base::read_whole_number(topology / "core_id");
    if (!core) return std::nullopt;
    cores.emplace(base::read_whole_number(topology / "physical_package_id").value_or(0), *core);
  }
  return cores.empty() ? std::nullopt : std::optional(std::ssize(cores));
}

// The same from /proc/cpuinfo.
std::optional<std::int64_t> cores_from_blocks(const CpuBlocks& blocks) {
  std::set<std::pair<std::string, std::string>> cores;
  for (const Values& block : blocks) {
    const std::string core = value_of(block, "core id");
    if (core.empty()) return std::nullopt;
    cores.emplace(value_of(block, "physical id"), core);
  }
  return cores.empty() ? std::nullopt : std::optional(std::ssize(cores));
}

// Sets the numbers of both kinds of cores. Intel's kinds have separate folders; Arm's differ in capacity. The
// weakest kind counts as efficiency cores, all others as performance cores.
void read_core_kinds(const fs::path& root, const std::vector<int>& cpus, schema::HostInfo& host) {
  std::vector<int> strong = read_cpu_list(root / "sys/devices/cpu_core/cpus");
  std::vector<int> weak = read_cpu_list(root / "sys/devices/cpu_atom/cpus");
  if (strong.empty() || weak.empty()) {
    std::map<std::int64_t, std::vector<int>> by_capacity;
    for (const int cpu : cpus) {
      const auto capacity = base::read_whole_number(cpu_folder(root, cpu) / "cpu_capacity");
      if (!capacity) return;
      by_capacity[*capacity].push_back(cpu);
    }
    if (by_capacity.size() < 2) return;
    weak = by_capacity.begin()->second;
    strong.clear();
    std::ranges::set_difference(cpus, weak, std::back_inserter(strong));
  }
  host.cpu.performance_cores = physical_cores_of(root, strong);
  host.cpu.efficiency_cores = physical_cores_of(root, weak);
}

void read_cpu(const fs::path& root, schema::HostInfo& host) {
  const CpuBlocks blocks = read_blocks(root);
  const std::vector<int> online = read_cpu_list(root / kCpuFolder / "online");
  host.cpu.model = model_name(blocks, root);
  host.cpu.features = features_of(blocks);
  host.cpu.logical_cores = online.empty() ? std::ssize(blocks) : std::ssize(online);
  host.cpu.physical_cores = physical_cores_of(root, online);
  if (!host.cpu.physical_cores) host.cpu.physical_cores = cores_from_blocks(blocks);
  read_core_kinds(root, online, host);
  const std::string governor = base::read_first_line(cpu_folder(root, 0) / "cpufreq/scaling_governor");
  if (!governor.empty()) host.cpu.governor = governor;
}

// Converts a value such as "16384256 kB" to bytes.
std::optional<std::int64_t> kilobytes(const Values& memory, const char* key) {
  const std::string text = value_of(memory, key);
  const auto value = base::parse_whole_number(text.substr(0, text.find(' ')));
  return value ? std::optional(*value * 1024) : std::nullopt;
}

void read_memory(const fs::path& root, schema::HostInfo& host) {
  const Values memory = key_values(base::read_system_file(root / "proc/meminfo"), ':');
  host.memory_bytes = kilobytes(memory, "MemTotal").value_or(0);
  const auto swap = kilobytes(memory, "SwapTotal");
  const auto free_swap = kilobytes(memory, "SwapFree");
  if (swap && free_swap && *swap >= *free_swap) host.swap_used_bytes = *swap - *free_swap;
}

void read_system(const fs::path& root, schema::HostInfo& host) {
  Values release = key_values(base::read_system_file(root / "etc/os-release"), '=');
  host.os.name = release["NAME"].empty() ? "Linux" : release["NAME"];
  host.os.version = release["VERSION_ID"];
  host.os.kernel = base::read_first_line(root / "proc/sys/kernel/osrelease");
  utsname names{};
  if (uname(&names) == 0) host.os.arch = names.machine;
}

}  // namespace

schema::HostInfo read_machine(const fs::path& root) {
  schema::HostInfo host;
  read_cpu(root, host);
  read_memory(root, host);
  read_system(root, host);
  const std::string load = base::read_first_line(root / "proc/loadavg");
  host.load_average = base::parse_number(load.substr(0, load.find(' ')));
  return host;
}

std::int64_t usable_cores(const std::vector<int>& cpus, const fs::path& root) {
  std::int64_t cores = physical_cores_of(root, cpus).value_or(std::ssize(cpus));
  if (const auto quota = base::cpu_quota(root)) {
    // The kernel would only pause threads beyond the quota in turn.
    cores = std::min(cores, static_cast<std::int64_t>(std::min(std::floor(*quota), 1e9)));
  }
  return std::max<std::int64_t>(cores, 1);
}

bool is_translated() {
  return false;
}

}  // namespace mpsbench::report
