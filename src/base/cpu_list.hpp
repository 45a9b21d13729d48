// Lists of logical CPUs as the Linux kernel writes them: "0-3,8".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mpsbench::base {

// Lists have only CPUs below this number, which is more than Linux supports.
inline constexpr int kMostCpus = 65'536;

// Returns the CPUs of "0-3,8", in rising order and each once, or nullopt if TEXT is not such a list.
[[nodiscard]] std::optional<std::vector<int>> parse_cpu_list(std::string_view text);

// Returns the shortest list of CPUS, which must be in rising order.
[[nodiscard]] std::string format_cpu_list(const std::vector<int>& cpus);

// Returns the logical CPUs that this process may use. Returns none if the system cannot bind processes to
// CPUs.
[[nodiscard]] std::vector<int> allowed_cpus();

}  // namespace mpsbench::base
