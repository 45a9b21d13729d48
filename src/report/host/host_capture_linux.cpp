#include "base/cpu_list.hpp"
#include "base/system_file.hpp"
#include "base/units.hpp"
#include "report/host/host_capture.hpp"
#include "report/host/linux_cpu.hpp"

#include <sys/utsname.h>

#include <vector>

namespace mpsbench::report {
namespace {

namespace fs = std::filesystem;

// Converts a value such as "16384256 kB" to bytes.
std::optional<std::int64_t> kilobytes(const std::map<std::string, std::string>& memory, const char* key) {
  const auto found = memory.find(key);
  if (found == memory.end()) return std::nullopt;
  const auto value = base::parse_whole_number(found->second.substr(0, found->second.find(' ')));
  return value ? std::optional(*value * 1024) : std::nullopt;
}

void read_memory(const fs::path& root, schema::HostInfo& host) {
  const auto memory = key_values(base::read_system_file(root / "proc/meminfo"), ':');
  host.memory_bytes = kilobytes(memory, "MemTotal").value_or(0);
  const auto swap = kilobytes(memory, "SwapTotal");
  const auto free_swap = kilobytes(memory, "SwapFree");
  if (swap && free_swap && *swap >= *free_swap) host.swap_used_bytes = *swap - *free_swap;
}

void read_system(const fs::path& root, schema::HostInfo& host) {
  auto release = key_values(base::read_system_file(root / "etc/os-release"), '=');
  host.os.name = release["NAME"].empty() ? "Linux" : release["NAME"];
  host.os.version = release["VERSION_ID"];
  host.os.kernel = base::read_first_line(root / "proc/sys/kernel/osrelease");
  utsname names{};
  if (uname(&names) == 0) host.os.arch = names.machine;
}

}  // namespace

schema::HostInfo read_machine(const fs::path& root) {
  schema::HostInfo host;
  read_linux_cpu(root, host);
  read_memory(root, host);
  read_system(root, host);
  const std::string load = base::read_first_line(root / "proc/loadavg");
  host.load_average = base::parse_number(load.substr(0, load.find(' ')));
  return host;
}

std::int64_t usable_cores() {
  return usable_cores(base::allowed_cpus());
}

std::int64_t usable_cores(const std::vector<int>& cpus) {
  return usable_cores("/", cpus);
}

bool is_translated() {
  return false;
}

}  // namespace mpsbench::report
