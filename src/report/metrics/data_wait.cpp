#include "report/metrics/data_wait.hpp"

#include "stats/summary.hpp"

#include <algorithm>
#include <string>

namespace mpsbench::report {

void set_data_wait(const schema::CaseSpec& spec, const std::vector<const schema::Launch*>& good,
                   schema::Metrics& metrics, Notes& notes) {
  const std::string path = "metrics.data_wait_share";
  if (spec.mode == schema::Mode::data) {
    notes[path] = "only batches are prepared (--mode data): no step waits for them";
    return;
  }
  if (spec.pad == schema::Pad::longest) {
    notes[path] = "batches have different lengths (--pad longest), but the batch on the device has only one";
    return;
  }
  std::vector<double> shares;
  for (const schema::Launch* launch : good) {
    const auto step = stats::median(launch->samples_seconds);
    if (!step || *step <= 0 || !launch->input_times) continue;
    const double saved = *step - launch->input_times->resident_step_seconds;
    const double most = 2 * launch->input_times->feed_seconds;
    shares.push_back(std::max(0.0, std::min(saved, most) / *step));
  }
  metrics.data_wait_share = stats::median(shares);
  if (metrics.data_wait_share) return;
  notes[path] = spec.input == schema::Input::device ? "the batch stays on the device: no step waits for data"
                : schema::as_published(spec.loop)
                    ? "--as-published does not measure steps whose batch is on the device already"
                    : "no step was measured";
}

}  // namespace mpsbench::report
