// Finds out whether fewer threads would be faster because other programs keep cores busy: the threads of an
// operation wait for the slowest of them.
#pragma once

#include "schema/report.hpp"
#include "supervise/interrupt.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace mpsbench::run {

// Fewer threads are tried if other programs keep this many cores busy, and must be this much faster.
inline constexpr double kBusyCores = 0.5;
inline constexpr double kClearlyFaster = 1.25;
// Cases with longer steps are not tried.
inline constexpr double kLongestTriedStep = 0.5;

struct ThreadTime {
  std::int64_t threads = 0;
  double step_seconds = 0;
};

// Returns the numbers to try instead of ALL, which is at least 2, the larger first: one that leaves the busy
// cores free, and half of ALL.
[[nodiscard]] std::vector<std::int64_t> fewer_threads(std::int64_t all, double busy_cores);

// Returns the fastest of FEWER if it is clearly faster than ALL.
[[nodiscard]] std::optional<ThreadTime> clear_winner(const ThreadTime& all, const std::vector<ThreadTime>& fewer);

// Watches the CPU for a moment and returns the share of its time, 0 ... 1, that other programs use, or
// nullopt if the system does not report it. Throws Error(interrupted).
[[nodiscard]] std::optional<double> share_of_others(supervise::Interrupt& interrupt);

using ShareOfOthers = std::function<std::optional<double>(supervise::Interrupt&)>;

// If other programs keep cores busy, tries the first case of RECORD that has DEFAULT_THREADS on the CPU,
// short steps and neither a data set nor weights to load. If fewer threads are clearly faster, warns and
// notes it in RECORD. Throws Error(interrupted).
void try_fewer_threads(schema::RunRecord& record, std::int64_t default_threads,
                       const ShareOfOthers& watch = share_of_others);

}  // namespace mpsbench::run
