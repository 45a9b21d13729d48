#include "worker/prepared_launch.hpp"

#include "base/process_memory.hpp"
#include "measure/measure_launch.hpp"
#include "worker/launch_observer.hpp"

namespace mpsbench::worker {

void PreparedLaunch::measure(Events& events, schema::Launch& launch) {
  device.reset_peak_memory();
  LaunchObserver observer(*this, events, launch);
  const bool latency = request->spec.mode == schema::Mode::infer;
  const measure::WorkAmount work = measure::work_amount(request->spec);
  if (feed != nullptr) {
    step::FedStep fed(*step, *feed);
    const measure::InputParts parts{step.get(), feed.get()};
    measure::measure_launch(fed, timer, observer, measure::alone(), request->measure, work, latency, launch,
                            &parts);
  } else {
    measure::measure_launch(*step, timer, observer, measure::alone(), request->measure, work, latency,
                            launch);
  }
  launch.peak_resident_bytes = base::peak_resident_bytes();
  if (const auto peak = device.peak_memory()) {
    launch.peak_device_bytes = peak->allocated_bytes;
    launch.peak_reserved_bytes = peak->reserved_bytes;
  }
}

}  // namespace mpsbench::worker
