// A launch of several processes as their front sees it: other fronts' ranks, what each process is asked, and
// where they meet.
#pragma once

#include "base/interface.hpp"
#include "schema/launch.hpp"
#include "schema/messages.hpp"
#include "supervise/descriptor.hpp"
#include "supervise/worker_process.hpp"

#include <poll.h>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace mpsbench::supervise {

// The ranks of a launch that other fronts run, as the front sees them whose worker runs here.
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

// What each process of a launch gets of the launch's request.

// Returns the request of RANK, which runs on DEVICE, in the group that REQUEST names.
[[nodiscard]] schema::LaunchRequest request_in_group(schema::LaunchRequest request, std::int64_t rank,
                                                     const schema::DeviceId& device);

// The socket on which rank 0 of a launch waits for the others, on this host.
inline constexpr const char* kGroupAddress = "127.0.0.1";

struct GroupListener {
  Descriptor socket;
  std::int64_t port = 0;  // free ports are the system's choice
};

// The socket is closed on exec, and its number is at least 10. Throws std::system_error.
[[nodiscard]] GroupListener listen_for_group();

}  // namespace mpsbench::supervise
