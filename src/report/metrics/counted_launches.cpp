#include "report/metrics/counted_launches.hpp"

#include "schema/launch_part.hpp"

namespace mpsbench::report {
namespace {

bool is_disturbed(const schema::Launch* launch) {
  return launch->disturbed.has_value();
}

}  // namespace

std::vector<const schema::Launch*> counted_launches(std::span<const schema::Launch> launches) {
  std::vector<const schema::Launch*> good = schema::counted(launches);
  keep_counted(good, is_disturbed);
  return good;
}

LaunchCounts launch_counts(std::span<const schema::Launch> launches) {
  const std::vector<const schema::Launch*> good = schema::counted(launches);
  return {.good = good.size(),
          .disturbed = static_cast<std::size_t>(std::ranges::count_if(good, is_disturbed)),
          .counted = counted_launches(launches).size()};
}

}  // namespace mpsbench::report
