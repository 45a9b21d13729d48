#include "base/units.hpp"
#include "cli/commands/doctor_checks.hpp"

#include <fmt/core.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>

namespace mpsbench::cli {
namespace {

using Level = Finding::Level;
constexpr std::int64_t kSharedMemoryBytes = 64LL << 20U;  // what containers get unless more is asked for
constexpr double kNetworkBitsPerSecond = 10e9;
constexpr double kGradientBits = 8e8;  // 100 MB: a network of 25 million parameters

std::string pairs_text(const std::vector<schema::GpuPair>& pairs) {
  std::vector<std::string> texts;
  for (const schema::GpuPair& pair : pairs) texts.push_back(fmt::format("{} and {}", pair.first, pair.second));
  return fmt::format("GPUs {}", fmt::join(texts, ", "));
}

Finding path_finding(const std::vector<schema::GpuPair>& pairs, const std::string& text) {
  constexpr const char* kSubject = "GPU connection";
  const std::string message = pairs_text(pairs) + ": " + text;
  const schema::GpuPath path = pairs.front().path;
  if (path == schema::GpuPath::system)
    return {Level::warning, kSubject, message,
            "let a run use GPUs of one NUMA node if it can; CUDA_VISIBLE_DEVICES chooses them"};
  return {path == schema::GpuPath::unknown ? Level::note : Level::good, kSubject, message};
}

// One finding for each kind of path.
Findings check_paths(const schema::Interconnect& interconnect) {
  std::map<std::string, std::vector<schema::GpuPair>> groups;
  for (const schema::GpuPair& pair : interconnect.pairs) groups[schema::path_text(pair)].push_back(pair);
  Findings findings;
  for (const auto& [text, pairs] : groups) findings.push_back(path_finding(pairs, text));
  return findings;
}

Findings check_peer_access(const schema::Interconnect& interconnect) {
  constexpr const char* kSubject = "GPU peer access";
  const auto& pairs = interconnect.pairs;
  std::vector<schema::GpuPair> without;
  std::ranges::copy_if(pairs, std::back_inserter(without),
                       [](const schema::GpuPair& pair) { return pair.peer_access == false; });
  if (!without.empty())
    return {{Level::warning, kSubject,
             pairs_text(without) + " do not reach each other's memory, so data goes through the host's",
             "`nvidia-smi topo -p2p r` says why; often the IOMMU or PCIe's ACS must be switched off, or the "
             "virtual machine must allow it"}};
  if (std::ranges::all_of(pairs, [](const schema::GpuPair& pair) { return pair.peer_access.has_value(); }))
    return {{Level::good, kSubject, "all GPUs reach each other's memory"}};
  return {{Level::note, kSubject, kUntold}};
}

// OWN has the nodes of the allowed CPUs.
Findings check_numa(const schema::Interconnect& interconnect, const std::vector<std::int64_t>& own) {
  constexpr const char* kSubject = "GPU NUMA nodes";
  std::map<std::int64_t, std::vector<std::size_t>> gpus_of;
  const auto& nodes = interconnect.numa_nodes;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (const auto& node = nodes[i]) gpus_of[*node].push_back(i);
  }
  if (gpus_of.empty()) return {{Level::note, kSubject, kUntold}};
  std::string text;
  std::vector<std::int64_t> foreign;
  for (const auto& [node, gpus] : gpus_of) {
    text += fmt::format("{}node {}: GPU {}", text.empty() ? "" : "; ", node, fmt::join(gpus, ", "));
    if (!own.empty() && std::ranges::find(own, node) == own.end()) foreign.push_back(node);
  }
  if (foreign.empty()) return {{Level::good, kSubject, text}};
  return {{Level::warning, kSubject,
           fmt::format("{}; but this process may only use CPUs of node {}", text, fmt::join(own, ", ")),
           fmt::format("allow CPUs of node {} too (numactl, taskset, or how the launcher binds processes)",
                       fmt::join(foreign, ", "))}};
}

const std::string* variable(const DoctorFacts& facts, const std::string& name) {
  const auto found = facts.host.environment.find(name);
  return found == facts.host.environment.end() ? nullptr : &found->second;
}

// CUDA stops at the first entry that is neither a number nor the UUID of a GPU or of a part of one.
std::ptrdiff_t shown_gpus(const std::string& visible) {
  const auto names_one = [](const std::string& entry) {
    return base::parse_whole_number(entry) || entry.starts_with("GPU-") || entry.starts_with("MIG-");
  };
  const std::vector<std::string> entries = base::split_list(visible).value_or(std::vector<std::string>{});
  return std::ranges::find_if_not(entries, names_one) - entries.begin();
}

Findings check_hidden(const DoctorFacts& facts, std::ptrdiff_t all) {
  const std::string* visible = variable(facts, "CUDA_VISIBLE_DEVICES");
  if (visible == nullptr) return {};
  const std::ptrdiff_t shown = shown_gpus(*visible);
  if (shown >= all) return {};
  return {{Level::warning, "hidden GPUs",
           fmt::format("CUDA_VISIBLE_DEVICES={} hides {} of {} GPUs", *visible, all - shown, all),
           "unset it, unless the other GPUs are to stay free"}};
}

Findings check_shared_memory(const DoctorFacts& facts) {
  constexpr const char* kSubject = "shared memory";
  if (!facts.scaling.shared_memory_bytes) return {{Level::note, kSubject, kUntold}};
  const std::int64_t bytes = *facts.scaling.shared_memory_bytes;
  const std::string text = "/dev/shm has " + base::format_bytes(static_cast<double>(bytes));
  if (bytes > kSharedMemoryBytes) return {{Level::good, kSubject, text}};
  return {{Level::warning, kSubject, text + ", which NCCL may use up",
           "start the container with more, such as --shm-size=1g, or with --ipc=host"}};
}

// The list has names' beginnings, or whole names after "="; after "^", those that are not to be used.
bool names_an_interface(const std::string& list, const std::vector<std::string>& interfaces) {
  if (list.starts_with('^')) return true;
  const bool is_whole = list.starts_with('=');
  const auto wanted = base::split_list(is_whole ? list.substr(1) : list);
  return wanted && std::ranges::any_of(*wanted, [&](const std::string& one) {
           return std::ranges::any_of(
               interfaces, [&](const std::string& name) { return is_whole ? name == one : name.starts_with(one); });
         });
}

Findings check_nccl(const DoctorFacts& facts) {
  Findings findings = slow_variables(facts, true);
  const std::string* names = variable(facts, "NCCL_SOCKET_IFNAME");
  if (names != nullptr && !names_an_interface(*names, facts.scaling.interfaces))
    findings.push_back({Level::warning, "NCCL_SOCKET_IFNAME",
                        fmt::format("NCCL_SOCKET_IFNAME={} names no network interface, so NCCL does not start", *names),
                        fmt::format("unset it, or name one of {}", fmt::join(facts.scaling.interfaces, ", "))});
  if (findings.empty()) findings.push_back({Level::good, "NCCL", "no variable holds it back"});
  return findings;
}

Finding check_network(const DoctorFacts& facts) {
  constexpr const char* kSubject = "network";
  const auto& network = facts.scaling.network;
  if (!network)
    return {Level::warning, kSubject, "there is no way to MASTER_ADDR=" + facts.scaling.master,
            "set MASTER_ADDR to an address of rank 0's machine that this one reaches"};
  const std::string text = schema::network_text(*network);
  if (!network->infiniband.empty()) return {Level::good, kSubject, text};
  if (!network->bits_per_second) return {Level::note, kSubject, text + ", whose speed is unknown"};
  if (*network->bits_per_second >= kNetworkBitsPerSecond) return {Level::good, kSubject, text};
  return {Level::warning, kSubject,
          fmt::format("{}: 100 MB of gradients take {} or more", text,
                      base::format_duration(kGradientBits / *network->bits_per_second)),
          "set MASTER_ADDR to rank 0's address in a faster network, if there is one"};
}

}  // namespace

Findings check_scaling(const DoctorFacts& facts) {
  Findings findings;
  const auto add = [&](Findings more) { std::ranges::move(more, std::back_inserter(findings)); };
  if (!facts.scaling.launcher.empty()) findings.push_back({Level::good, "launcher", facts.scaling.launcher});
  if (!facts.scaling.launcher_error.empty())
    findings.push_back(finding_with_cure(Level::problem, "launcher", facts.scaling.launcher_error));
  const auto& interconnect = facts.scaling.interconnect;
  const bool has_master = !facts.scaling.master.empty();
  if (interconnect) {
    add(check_paths(*interconnect));
    add(check_peer_access(*interconnect));
    add(check_numa(*interconnect, facts.scaling.cpu_nodes));
    add(check_hidden(facts, std::ssize(interconnect->numa_nodes)));
    add(check_shared_memory(facts));
  }
  if (interconnect || (has_master && !facts.gpus.empty())) add(check_nccl(facts));
  if (has_master) findings.push_back(check_network(facts));
  return findings;
}

}  // namespace mpsbench::cli
