// Which status a launch has that several workers ran together.
#pragma once

#include "schema/launch.hpp"
#include "supervise/event_receiver.hpp"
#include "supervise/verdict.hpp"
#include "supervise/worker_process.hpp"

#include <string>
#include <vector>

namespace mpsbench::supervise {

// What one rank left behind.
struct RankEnd {
  schema::DeviceId device;
  ReceivedEvents received;
  WorkerEnd end;
};

// Rank 0's record. Of several RANKS it also says how each ended, and it has the status of the first that
// failed: in time, then by number. One that was stopped for the sake of another did not fail.
[[nodiscard]] schema::Launch conclude_group(const std::vector<RankEnd>& ranks,
                                            const Circumstances& circumstances);

}  // namespace mpsbench::supervise
