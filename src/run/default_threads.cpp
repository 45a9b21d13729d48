#include "run/default_threads.hpp"

#include "base/units.hpp"
#include "report/host/host_capture.hpp"

#include <unistd.h>

#include <cstdlib>
#include <iterator>
#include <optional>
#include <vector>

namespace mpsbench::run {

namespace {

std::optional<std::int64_t> own_threads() {
  constexpr std::int64_t kMost = 4096;
  const char* text = std::getenv("OMP_NUM_THREADS");
  const auto number = base::parse_whole_number(text == nullptr ? "" : text);
  return number && *number >= 1 && *number <= kMost ? number : std::nullopt;
}

}  // namespace

std::int64_t default_threads() {
  const std::optional<std::int64_t> own = own_threads();
  return own ? *own : report::usable_cores();
}

std::int64_t sharing_cores(std::int64_t local_ranks) {
  const std::vector<int> allowed = report::allowed_cpus();  // empty: not known
  const bool is_bound = !allowed.empty() && std::ssize(allowed) < ::sysconf(_SC_NPROCESSORS_ONLN);
  return is_bound || own_threads() ? 1 : local_ranks;
}

suite::Cpus usable_cpus() {
  return {report::allowed_cpus(), [](const std::vector<int>& cpus) { return report::usable_cores(cpus); }};
}

}  // namespace mpsbench::run
