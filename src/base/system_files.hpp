// Reads the kernel's small files in /proc and /sys. Absent, unreadable and empty files are treated alike.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mpsbench::base {

// Returns the whole text of a small system file, or an empty text if it cannot be read.
[[nodiscard]] std::string read_system_file(const std::filesystem::path& path);
// Returns the file's first line.
[[nodiscard]] std::string read_first_line(const std::filesystem::path& path);
[[nodiscard]] std::optional<std::int64_t> read_whole_number(const std::filesystem::path& path);

// Lists of logical CPUs as the Linux kernel writes them: "0-3,8".

// Lists have only CPUs below this number, which is more than Linux supports.
inline constexpr int kMostCpus = 65'536;

// Returns the CPUs of "0-3,8", in rising order and each once, or nullopt if TEXT is not such a list.
[[nodiscard]] std::optional<std::vector<int>> parse_cpu_list(std::string_view text);

// Returns the shortest list of CPUS, which must be in rising order.
[[nodiscard]] std::string format_cpu_list(const std::vector<int>& cpus);

// Returns the logical CPUs that this process may use. Returns none if the system cannot bind processes to
// CPUs.
[[nodiscard]] std::vector<int> allowed_cpus();

// What the control groups of this process (versions 1 and 2) let it have: CPU time and memory.

// Returns the smallest quota, in CPUs, of this process's control groups and of the groups around them;
// nullopt if there is none. ROOT is "/" except in tests.
[[nodiscard]] std::optional<double> cpu_quota(const std::filesystem::path& root);

// Returns how often these quotas have paused processes so far, summed over the groups; nullopt if there is no
// quota.
[[nodiscard]] std::optional<std::int64_t> cpu_quota_pauses(const std::filesystem::path& root);

// Returns the least that these groups leave of their memory: the limit minus what is used, without page cache
// that can be dropped immediately; nullopt if there is no limit.
[[nodiscard]] std::optional<std::int64_t> cgroup_free_bytes(const std::filesystem::path& root = "/");

}  // namespace mpsbench::base
