// --affinity: the CPUs that a case's worker may use.
#pragma once

#include "suite/settings.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace mpsbench::suite {

// The CPUs that this process may use. There are none if the system cannot bind processes to CPUs.
struct Cpus {
  std::vector<int> usable;
  // Returns the number of cores behind some of them.
  std::function<std::int64_t(const std::vector<int>&)> cores;
};

// Returns why LIST, such as "0-3,8", cannot be used here. Returns an empty text if it can.
[[nodiscard]] std::string why_unusable(const std::string& list, const Cpus& cpus);

// Returns the number of cores behind the CPUs of LIST.
[[nodiscard]] std::int64_t cores_of(const std::string& list, const Cpus& cpus);

}  // namespace mpsbench::suite
