#include "supervise/group_verdict.hpp"

#include <cstddef>
#include <optional>
#include <utility>

namespace mpsbench::supervise {
namespace {

// Adds what the front knows to what a worker says of itself.
schema::RankResult result_of(std::int64_t rank, const schema::DeviceId& device, schema::Launch launch) {
  schema::RankResult result = launch.ranks.empty() ? schema::RankResult{} : std::move(launch.ranks.front());
  result.rank = rank;
  result.device = device;
  result.status = launch.status;
  result.failure = std::move(launch.failure);
  result.first_step_seconds = launch.first_step_seconds;
  result.working_threads = launch.working_threads;
  result.peak_resident_bytes = launch.peak_resident_bytes;
  result.peak_device_bytes = launch.peak_device_bytes;
  result.peak_reserved_bytes = launch.peak_reserved_bytes;
  if (rank == 0) return result;
  result.sensors = std::move(launch.sensors);
  result.sensor_notes = std::move(launch.sensor_notes);
  return result;
}

bool failed(const schema::RankResult& result, const WorkerEnd& end) {
  return result.status != schema::Status::ok && end.stop != Stop::peer;
}

}  // namespace

schema::Launch conclude_group(const std::vector<RankEnd>& ranks, const Circumstances& circumstances) {
  schema::Launch launch = conclude(ranks.front().received, ranks.front().end, circumstances);
  if (ranks.size() == 1) return launch;
  std::optional<std::size_t> first;
  std::vector<schema::RankResult> results;
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    const auto& [device, received, end] = ranks[i];
    schema::Launch own = i == 0 ? launch : conclude(received, end, circumstances);
    if (own.disturbed) launch.disturbed = own.disturbed;
    results.push_back(result_of(static_cast<std::int64_t>(i), device, std::move(own)));
    if (!failed(results.back(), end)) continue;
    // A rank that lost another one may be the first whose end is known.
    const auto order = [&](std::size_t rank) {
      return std::pair(schema::is_lost_rank(results[rank].failure), ranks[rank].end.over_seconds);
    };
    if (!first || order(i) < order(*first)) first = i;
  }
  launch.ranks = std::move(results);
  if (!first) return launch;
  launch.status = launch.ranks[*first].status;
  launch.failure = launch.ranks[*first].failure;
  if (launch.failure)
    launch.failure->message = "rank " + std::to_string(*first) + ": " + launch.failure->message;
  return launch;
}

}  // namespace mpsbench::supervise
