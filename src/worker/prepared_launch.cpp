#include "worker/prepared_launch.hpp"

#include "base/process_memory.hpp"
#include "measure/measure_launch.hpp"
#include "schema/has_compared.hpp"
#include "worker/launch_observer.hpp"
#include "worker/untrusted_launch.hpp"

#include <span>

namespace mpsbench::worker {

void PreparedLaunch::measure(Events& events, schema::Launch& launch) {
  device.reset_peak_memory();
  LaunchObserver observer(*this, events, launch);
  const bool latency = request->spec.mode == schema::Mode::infer;
  measure::Agreement& agreement =
      group != nullptr ? static_cast<measure::Agreement&>(*group) : measure::alone();
  double nothing = 0;
  agreement.take_largest(std::span(&nothing, 1));  // begin together: only rank 0 has compared its first step
  const measure::WorkAmount work = measure::work_amount(request->spec);
  if (feed != nullptr) {
    step::FedStep fed(*step, *feed);
    const measure::InputParts parts{step.get(), feed.get()};
    measure::measure_launch(fed, timer, observer, agreement, request->measure, work, latency, launch, &parts);
  } else {
    measure::measure_launch(*step, timer, observer, agreement, request->measure, work, latency, launch);
  }
  launch.peak_resident_bytes = base::peak_resident_bytes();
  if (averaged != nullptr && !group->are_equal(model->parameters().trainable()))
    throw UntrustedLaunch{{schema::kWrongOutput, "after training, the ranks' weights differ", ""}};
  if (const auto peak = device.peak_memory()) {
    launch.peak_device_bytes = peak->allocated_bytes;
    launch.peak_reserved_bytes = peak->reserved_bytes;
  }
}

}  // namespace mpsbench::worker
