// The ranks of a launch that other fronts run, as the front sees them whose worker runs here.
#pragma once

#include "base/interface.hpp"
#include "schema/launch.hpp"
#include "supervise/worker_process.hpp"

#include <poll.h>

#include <array>
#include <span>
#include <vector>

namespace mpsbench::supervise {

struct RankEnd;

// Watched by the event loop of a WorkerGroup, beside its workers.
class OtherRanks : public base::Interface {
 public:
  // Like those of WorkerProcess.
  [[nodiscard]] virtual std::array<pollfd, WorkerProcess::kWatched> watched() const = 0;
  virtual void follow(std::span<const pollfd, WorkerProcess::kWatched> news) = 0;
  // Whether the workers here should end because another rank has failed.
  [[nodiscard]] virtual bool wants_end() const = 0;
  // Called when the workers here have ended, as HERE says of the first. Waits for the others and returns
  // their ends, in the order of their ranks.
  [[nodiscard]] virtual std::vector<RankEnd> finish(const schema::Launch& here) = 0;
};

}  // namespace mpsbench::supervise
