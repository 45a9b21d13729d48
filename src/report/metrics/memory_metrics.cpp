#include "report/metrics/memory_metrics.hpp"

#include "report/metrics/leak.hpp"
#include "schema/has_compared.hpp"
#include "stats/summary.hpp"

#include <algorithm>
#include <optional>
#include <string>

namespace mpsbench::report {
namespace {

std::optional<std::int64_t> largest(const std::vector<const schema::Launch*>& good,
                                    std::optional<std::int64_t> schema::Launch::* field) {
  std::optional<std::int64_t> most;
  for (const schema::Launch* launch : good) {
    const std::optional<std::int64_t>& value = launch->*field;
    if (value) most = std::max(most.value_or(0), *value);
  }
  return most;
}

// Returns the launches of GOOD that held no copies for a comparison, or all if there are none.
std::vector<const schema::Launch*> without_comparison(const std::vector<const schema::Launch*>& good) {
  std::vector<const schema::Launch*> result;
  for (const schema::Launch* launch : good) {
    if (!schema::has_compared(*launch)) result.push_back(launch);
  }
  return result.empty() ? good : result;
}

}  // namespace

void set_memory(const schema::CaseSpec& spec, const std::vector<const schema::Launch*>& good,
                schema::Metrics& metrics, Notes& notes) {
  metrics.peak_device_bytes = largest(good, &schema::Launch::peak_device_bytes);
  metrics.peak_reserved_bytes = largest(good, &schema::Launch::peak_reserved_bytes);
  metrics.peak_resident_bytes = largest(without_comparison(good), &schema::Launch::peak_resident_bytes);
  std::string reason = "no launch succeeded";
  if (!good.empty()) {
    reason = spec.device.asynchronous() ? "the device's allocator does not report it"
                                        : "the CPU has no separate memory: see peak_resident_bytes";
  }
  if (!metrics.peak_device_bytes) notes["metrics.peak_device_bytes"] = reason;
  if (!metrics.peak_reserved_bytes) notes["metrics.peak_reserved_bytes"] = reason;
  if (!metrics.peak_resident_bytes) {
    notes["metrics.peak_resident_bytes"] = good.empty() ? reason : "the system does not report it";
  }
  std::vector<double> slopes;
  for (const schema::Launch* launch : good) {
    if (const auto slope = live_bytes_per_step(*launch)) slopes.push_back(*slope);
  }
  metrics.live_bytes_per_step = stats::median(slopes);
  if (slopes.empty()) notes["metrics.live_bytes_per_step"] = "no launch has enough readings";
}

}  // namespace mpsbench::report
