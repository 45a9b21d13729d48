#include "supervise/group_verdict.hpp"

#include <cstddef>
#include <optional>
#include <utility>

namespace mpsbench::supervise {
namespace {

schema::RankResult result_of(std::int64_t rank, const schema::DeviceId& device,
                             const schema::Launch& launch) {
  return {.rank = rank,
          .device = device,
          .status = launch.status,
          .failure = launch.failure,
          .first_step_seconds = launch.first_step_seconds,
          .peak_resident_bytes = launch.peak_resident_bytes,
          .peak_device_bytes = launch.peak_device_bytes,
          .peak_reserved_bytes = launch.peak_reserved_bytes};
}

bool failed(const schema::RankResult& result, const WorkerEnd& end) {
  return result.status != schema::Status::ok && end.stop != Stop::peer;
}

}  // namespace

schema::Launch conclude_group(const std::vector<RankEnd>& ranks, const Circumstances& circumstances) {
  schema::Launch launch = conclude(ranks.front().received, ranks.front().end, circumstances);
  if (ranks.size() == 1) return launch;
  std::optional<std::size_t> first;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const auto& [device, received, end] = ranks[i];
    launch.ranks.push_back(result_of(static_cast<std::int64_t>(i), device,
                                     i == 0 ? launch : conclude(received, end, circumstances)));
    if (failed(launch.ranks.back(), end) && (!first || end.over_seconds < ranks[*first].end.over_seconds))
      first = i;
  }
  if (!first) return launch;
  launch.status = launch.ranks[*first].status;
  launch.failure = launch.ranks[*first].failure;
  if (launch.failure)
    launch.failure->message = "rank " + std::to_string(*first) + ": " + launch.failure->message;
  return launch;
}

}  // namespace mpsbench::supervise
