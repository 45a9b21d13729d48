// The fronts of a run that a launcher has started, one a rank: rank 0's orders the launches and takes their
// results, the others follow.
#pragma once

#include "schema/rank.hpp"
#include "schema/run_info.hpp"
#include "supervise/front_link.hpp"
#include "supervise/launch_runner.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>

namespace mpsbench::supervise {

class LeadingFront {
 public:
  // LINK has met OTHERS; it must outlive this object. PLACE is rank 0's, with the run's prefix in the store. LAUNCHER
  // started all fronts. HOSTS has the names of other machines than rank 0's, by the ranks that run there.
  LeadingFront(FrontLink& link, schema::GroupPlace place, OwnDevice own_device, schema::LauncherInfo launcher,
               std::int64_t others, std::map<std::int64_t, std::string> hosts)
      : link_(link),
        place_(std::move(place)),
        own_device_(std::move(own_device)),
        launcher_(std::move(launcher)),
        others_(others),
        hosts_(std::move(hosts)) {}

  // Returns what started all fronts, this one included.
  [[nodiscard]] const schema::LauncherInfo& launcher() const { return launcher_; }

  // Like the function run_launch(), but each rank's worker is started by the front of that rank.
  [[nodiscard]] LaunchOutcome run_launch(const LaunchSetting& setting, schema::LaunchRequest request);

  // Lets the other fronts end with EXIT_CODE, and waits for them, but not for long.
  void end(std::int64_t exit_code, Interrupt& interrupt);

 private:
  class LedLaunch;

  void note_losses();

  FrontLink& link_;
  schema::GroupPlace place_;
  OwnDevice own_device_;
  schema::LauncherInfo launcher_;
  std::int64_t others_;
  std::map<std::int64_t, std::string> hosts_;
  std::int64_t orders_ = 0;
  std::map<std::int64_t, std::string> lost_;  // why, by rank
};

// Follows the orders of rank 0 until the last one, and returns rank 0's exit code. LINK has met. Throws
// Error(incomplete) if rank 0 is lost, and Error(interrupted) if it gives no order after a signal.
[[nodiscard]] std::int64_t follow_orders(FrontLink& link, const std::filesystem::path& worker,
                                         const OwnDevice& own_device, Interrupt& interrupt);

}  // namespace mpsbench::supervise
