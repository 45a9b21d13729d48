#include "measure/input_times.hpp"

#include "stats/summary.hpp"

#include <array>

namespace mpsbench::measure {

void measure_input(Session& session, const InputParts& parts) {
  constexpr std::size_t kWindows = 3;
  std::array<double, kWindows> resident{};
  std::array<double, kWindows> copy{};
  const std::int64_t steps = session.out().steps_per_sample;
  for (std::size_t i = 0; i < kWindows; ++i) {
    resident[i] = time_window(*parts.resident, session.timer(), steps).seconds / static_cast<double>(steps);
    copy[i] = time_window(*parts.copy, session.timer(), steps).seconds / static_cast<double>(steps);
  }
  session.out().input_times = schema::InputTimes{stats::median_of(resident), stats::median_of(copy)};
}

}  // namespace mpsbench::measure
