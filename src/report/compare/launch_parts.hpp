// The parts of a launch that comparing needs, read from a report's text.
#pragma once

#include "report/compare/compared_report.hpp"
#include "report/compare/report_place.hpp"

#include <optional>
#include <string_view>

namespace mpsbench::report {

struct LaunchParts {
  // Index, samples, memory, backend, and what the energy per row depends on. The rest has its defaults.
  schema::Launch launch;
  GpuClock gpu_clock;
  bool has_compared = false;  // as schema::has_compared()
};

// Returns nullopt if the launch does not count. Conditions of the case are read only if IS_FIRST: backend,
// clocks, and why there is no sensor.
[[nodiscard]] std::optional<LaunchParts> read_good_launch(const ReportPlace& place, bool is_first);

// Whether JSON is the name of the status ok.
[[nodiscard]] bool is_ok(std::string_view json);

}  // namespace mpsbench::report
