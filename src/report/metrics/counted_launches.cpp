#include "report/metrics/counted_launches.hpp"

namespace mpsbench::report {
namespace {

bool is_disturbed(const schema::Launch* launch) {
  return launch->disturbed.has_value();
}

std::vector<const schema::Launch*> good_launches(std::span<const schema::Launch> launches) {
  std::vector<const schema::Launch*> good;
  for (const schema::Launch& launch : launches) {
    if (launch.status == schema::Status::ok) good.push_back(&launch);
  }
  return good;
}

}  // namespace

std::vector<const schema::Launch*> counted_launches(std::span<const schema::Launch> launches) {
  std::vector<const schema::Launch*> good = good_launches(launches);
  keep_counted(good, is_disturbed);
  return good;
}

LaunchCounts launch_counts(std::span<const schema::Launch> launches) {
  const std::vector<const schema::Launch*> good = good_launches(launches);
  return {.good = good.size(),
          .disturbed = static_cast<std::size_t>(std::ranges::count_if(good, is_disturbed)),
          .counted = counted_launches(launches).size()};
}

}  // namespace mpsbench::report
