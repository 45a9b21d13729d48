// Rank 0's front of a run whose fronts a launcher has started: it orders the launches and takes their
// results.
#pragma once

#include "schema/group_place.hpp"
#include "schema/launcher_info.hpp"
#include "supervise/front_link.hpp"
#include "supervise/launch_runner.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace mpsbench::supervise {

class LeadingFront {
 public:
  // LINK has met OTHERS; it must outlive this object. PLACE is rank 0's, with the run's prefix in the store.
  LeadingFront(FrontLink& link, schema::GroupPlace place, std::int64_t local_rank,
               schema::LauncherInfo launcher, std::int64_t others)
      : link_(link),
        place_(std::move(place)),
        local_rank_(local_rank),
        launcher_(std::move(launcher)),
        others_(others) {}

  // Returns what started all fronts, this one included.
  [[nodiscard]] const schema::LauncherInfo& launcher() const { return launcher_; }

  // Like the function run_launch(), but each rank's worker is started by the front of that rank.
  [[nodiscard]] LaunchOutcome run_launch(const std::filesystem::path& worker, schema::LaunchRequest request,
                                         const LaunchLimits& limits, LaunchListener& listener,
                                         Interrupt& interrupt,
                                         const std::optional<std::string>& libtorch_version);

  // Lets the other fronts end with EXIT_CODE, and waits for them, but not for long.
  void end(std::int64_t exit_code, Interrupt& interrupt);

 private:
  class LedLaunch;

  void note_losses();

  FrontLink& link_;
  schema::GroupPlace place_;
  std::int64_t local_rank_;
  schema::LauncherInfo launcher_;
  std::int64_t others_;
  std::int64_t orders_ = 0;
  std::map<std::int64_t, std::string> lost_;  // why, by rank
};

}  // namespace mpsbench::supervise
