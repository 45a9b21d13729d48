#include "run/default_threads.hpp"

#include "base/units.hpp"
#include "report/host/host_capture.hpp"

#include <cstdlib>

namespace mpsbench::run {

std::int64_t default_threads() {
  constexpr std::int64_t kMost = 4096;
  const char* text = std::getenv("OMP_NUM_THREADS");
  const auto number = base::parse_whole_number(text == nullptr ? "" : text);
  return number && *number >= 1 && *number <= kMost ? *number : report::usable_cores();
}

}  // namespace mpsbench::run
