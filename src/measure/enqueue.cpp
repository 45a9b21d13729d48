#include "measure/enqueue.hpp"

#include "stats/summary.hpp"

#include <array>

namespace mpsbench::measure {

void measure_enqueue(Session& session) {
  if (!session.timer().asynchronous()) return;
  constexpr std::size_t kWindows = 5;
  std::array<double, kWindows> seconds{};
  for (double& one : seconds) one = time_window(session.step(), session.timer(), 1).enqueue_seconds;
  session.out().enqueue_seconds = stats::median_of(seconds);
}

}  // namespace mpsbench::measure
