#include "worker/data_launch.hpp"

#include "base/process_memory.hpp"
#include "measure/host_timer.hpp"
#include "measure/measure_launch.hpp"
#include "step/data_step.hpp"
#include "worker/batches.hpp"
#include "worker/lap.hpp"
#include "worker/part_sender.hpp"

namespace mpsbench::worker {

void measure_data(const schema::LaunchRequest& request, Events& events, schema::Launch& launch) {
  Lap lap;
  PartSender observer(events, launch);
  observer.on_phase(schema::Phase::data);
  step::DataStep step(open_files(request, /*pinned=*/false, launch));
  launch.setup_seconds = schema::SetupSeconds{};  // the front measures load
  launch.setup_seconds->data = lap();

  base::reset_peak_resident();
  measure::HostTimer timer;
  measure::measure_launch(step, timer, observer, measure::alone(), request.measure,
                          measure::work_amount(request.spec),
                          /*latency=*/false, launch);
  launch.peak_resident_bytes = base::peak_resident_bytes();
}

}  // namespace mpsbench::worker
