#include "run/default_threads.hpp"

#include "base/units.hpp"
#include "report/host/host_capture.hpp"

#include <cstdlib>
#include <vector>

namespace mpsbench::run {

std::int64_t default_threads() {
  constexpr std::int64_t kMost = 4096;
  const char* text = std::getenv("OMP_NUM_THREADS");
  const auto number = base::parse_whole_number(text == nullptr ? "" : text);
  return number && *number >= 1 && *number <= kMost ? *number : report::usable_cores();
}

suite::Cpus usable_cpus() {
  return {report::allowed_cpus(), [](const std::vector<int>& cpus) { return report::usable_cores(cpus); }};
}

}  // namespace mpsbench::run
