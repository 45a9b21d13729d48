#include "measure/enqueue.hpp"

#include "stats/summary.hpp"

#include <algorithm>
#include <vector>

namespace mpsbench::measure {

void measure_enqueue(LoopContext& context, Step& step) {
  if (!context.timer().asynchronous()) return;
  constexpr std::int64_t kWindows = 5;
  std::vector<double> seconds;
  for (std::int64_t i = std::min(kWindows, context.work().max_batches.value_or(kWindows)); i > 0; --i)
    seconds.push_back(time_window(step, context.timer(), 1).enqueue_seconds);
  context.out().enqueue_seconds = stats::median_of(seconds);
}

}  // namespace mpsbench::measure
