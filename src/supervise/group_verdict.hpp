// Decides the status of a launch that several workers ran together.
#pragma once

#include "schema/launch.hpp"
#include "supervise/event_receiver.hpp"
#include "supervise/verdict.hpp"
#include "supervise/worker_process.hpp"

#include <string>
#include <vector>

namespace mpsbench::supervise {

// What is known of one rank after its end.
struct RankEnd {
  schema::DeviceId device;
  ReceivedEvents received;
  WorkerEnd end;
};

// Returns rank 0's record. With several RANKS, the record also says what each measured and how it ended, and
// its status is that of the first rank that failed (the lower number if two failed at the same time). A rank
// that was stopped because another failed does not count as failed.
[[nodiscard]] schema::Launch conclude_group(const std::vector<RankEnd>& ranks,
                                            const Circumstances& circumstances);

}  // namespace mpsbench::supervise
