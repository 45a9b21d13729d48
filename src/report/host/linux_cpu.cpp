#include "report/host/linux_cpu.hpp"

#include "base/cgroup.hpp"
#include "base/cpu_list.hpp"
#include "base/system_file.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>

namespace mpsbench::report {

namespace {

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

namespace fs = std::filesystem;

constexpr const char* kCpuFolder = "sys/devices/system/cpu";

// /proc/cpuinfo has one block per logical CPU.
using CpuBlocks = std::vector<std::map<std::string, std::string>>;

CpuBlocks read_blocks(const fs::path& root) {
  const std::string text = base::read_system_file(root / "proc/cpuinfo");
  CpuBlocks blocks;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find("\n\n", at), text.size());
    auto block = key_values(std::string_view(text).substr(at, end - at), ':');
    if (block.contains("processor")) blocks.push_back(std::move(block));
    at = end + 2;
  }
  return blocks;
}

std::string value_of(const std::map<std::string, std::string>& block, const std::string& key) {
  const auto found = block.find(key);
  return found == block.end() ? "" : found->second;
}

// Names of Arm cores by "implementer part", from the manuals of Arm and the vendors.
std::string arm_core_name(const std::string& implementer, const std::string& part) {
  static const std::map<std::string, std::string> kNames{
      {"0x41 0xd03", "Cortex-A53"},  {"0x41 0xd05", "Cortex-A55"},  {"0x41 0xd07", "Cortex-A57"},
      {"0x41 0xd08", "Cortex-A72"},  {"0x41 0xd09", "Cortex-A73"},  {"0x41 0xd0a", "Cortex-A75"},
      {"0x41 0xd0b", "Cortex-A76"},  {"0x41 0xd0c", "Neoverse-N1"}, {"0x41 0xd40", "Neoverse-V1"},
      {"0x41 0xd41", "Cortex-A78"},  {"0x41 0xd44", "Cortex-X1"},   {"0x41 0xd49", "Neoverse-N2"},
      {"0x41 0xd4f", "Neoverse-V2"}, {"0xc0 0xac3", "Ampere-1"},    {"0xc0 0xac4", "Ampere-1A"},
      {"0x61 0x022", "Apple M1"},    {"0x61 0x023", "Apple M1"}};
  const auto found = kNames.find(implementer + " " + part);
  return found == kNames.end() ? "Arm " + implementer + "/" + part : found->second;
}

// Returns, for example, "AMD EPYC 7763" or "Cortex-A76 + Cortex-A55". If the CPU has no name, returns the
// board's.
std::string model_name(const CpuBlocks& blocks, const fs::path& root) {
  std::vector<std::string> names;
  for (const auto& block : blocks) {
    std::string name = value_of(block, "model name");
    const std::string part = value_of(block, "CPU part");
    if (!part.empty()) name = arm_core_name(value_of(block, "CPU implementer"), part);
    if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  if (names.empty()) {
    const std::string board = base::read_first_line(root / "proc/device-tree/model");
    return board.empty() ? "unknown" : board;
  }
  std::string joined;
  for (const std::string& name : names) joined += (joined.empty() ? "" : " + ") + name;
  return joined;
}

// Returns the features that affect how fast a network runs.
std::vector<std::string> features_of(const CpuBlocks& blocks) {
  constexpr std::array<std::pair<const char*, const char*>, 21> kNames{{{"sse4_2", "sse4.2"},
                                                                        {"avx", "avx"},
                                                                        {"f16c", "f16c"},
                                                                        {"fma", "fma"},
                                                                        {"avx2", "avx2"},
                                                                        {"avx_vnni", "avx_vnni"},
                                                                        {"avx512f", "avx512f"},
                                                                        {"avx512_vnni", "avx512_vnni"},
                                                                        {"avx512_bf16", "avx512_bf16"},
                                                                        {"avx512_fp16", "avx512_fp16"},
                                                                        {"amx_tile", "amx"},
                                                                        {"amx_bf16", "amx_bf16"},
                                                                        {"amx_int8", "amx_int8"},
                                                                        {"asimd", "neon"},
                                                                        {"asimdhp", "fp16"},
                                                                        {"asimddp", "dotprod"},
                                                                        {"bf16", "bf16"},
                                                                        {"i8mm", "i8mm"},
                                                                        {"sve", "sve"},
                                                                        {"sve2", "sve2"},
                                                                        {"sme", "sme"}}};
  std::set<std::string> present;
  if (!blocks.empty()) {
    std::istringstream words(value_of(blocks.front(), "flags") + " " + value_of(blocks.front(), "Features"));
    for (std::string word; words >> word;) present.insert(word);
  }
  std::vector<std::string> features;
  for (const auto& [kernel_name, name] : kNames) {
    if (present.contains(kernel_name)) features.emplace_back(name);
  }
  return features;
}

// Returns the CPUs of the list in FILE; none if there is no such list.
std::vector<int> read_cpu_list(const fs::path& file) {
  return base::parse_cpu_list(base::read_first_line(file)).value_or(std::vector<int>());
}

std::optional<std::int64_t> cores_from_blocks(const CpuBlocks& blocks) {
  std::set<std::pair<std::string, std::string>> cores;
  for (const auto& block : blocks) {
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
      const auto capacity = base::read_whole_number(root / kCpuFolder / ("cpu" + std::to_string(cpu)) / "cpu_capacity");
      if (!capacity) return;
      by_capacity[*capacity].push_back(cpu);
    }
    if (by_capacity.size() < 2) return;
    weak = by_capacity.begin()->second;
    strong.clear();
    for (auto kind = std::next(by_capacity.begin()); kind != by_capacity.end(); ++kind) {
      strong.insert(strong.end(), kind->second.begin(), kind->second.end());
    }
  }
  host.cpu.performance_cores = physical_cores_of(root, strong);
  host.cpu.efficiency_cores = physical_cores_of(root, weak);
}

}  // namespace

std::map<std::string, std::string> key_values(std::string_view text, char separator) {
  std::map<std::string, std::string> values;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    const std::size_t at = line.find(separator);
    if (at != std::string_view::npos) {
      values.emplace(trim(line.substr(0, at)), unquote(trim(line.substr(at + 1))));
    }
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return values;
}

std::optional<std::int64_t> physical_cores_of(const fs::path& root, const std::vector<int>& cpus) {
  std::set<std::pair<std::int64_t, std::int64_t>> cores;
  for (const int cpu : cpus) {
    const fs::path topology = root / kCpuFolder / ("cpu" + std::to_string(cpu)) / "topology";
    const auto core = base::read_whole_number(topology / "core_id");
    if (!core) return std::nullopt;
    cores.emplace(base::read_whole_number(topology / "physical_package_id").value_or(0), *core);
  }
  return cores.empty() ? std::nullopt : std::optional(std::ssize(cores));
}

void read_linux_cpu(const fs::path& root, schema::HostInfo& host) {
  const CpuBlocks blocks = read_blocks(root);
  const std::vector<int> online = read_cpu_list(root / kCpuFolder / "online");
  host.cpu.model = model_name(blocks, root);
  host.cpu.features = features_of(blocks);
  host.cpu.logical_cores = online.empty() ? std::ssize(blocks) : std::ssize(online);
  host.cpu.physical_cores = physical_cores_of(root, online);
  if (!host.cpu.physical_cores) host.cpu.physical_cores = cores_from_blocks(blocks);
  read_core_kinds(root, online, host);
  const std::string governor = base::read_first_line(root / kCpuFolder / "cpu0/cpufreq/scaling_governor");
  if (!governor.empty()) host.cpu.governor = governor;
}

std::int64_t usable_cores(const fs::path& root, const std::vector<int>& allowed) {
  std::int64_t cores = physical_cores_of(root, allowed).value_or(std::ssize(allowed));
  if (const auto quota = base::cpu_quota(root)) {
    // The kernel would only pause threads beyond the quota in turn.
    cores = std::min(cores, static_cast<std::int64_t>(std::min(std::floor(*quota), 1e9)));
  }
  return std::max<std::int64_t>(cores, 1);
}

}  // namespace mpsbench::report
