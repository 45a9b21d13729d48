#include "worker/launch.hpp"

#include "base/error.hpp"
#include "base/process_memory.hpp"
#include "device/libtorch_errors.hpp"
#include "measure/measure_launch.hpp"
#include "measure/timer.hpp"
#include "schema/rank.hpp"
#include "step/data_step.hpp"
#include "worker/batches.hpp"
#include "worker/channel.hpp"
#include "worker/preparation.hpp"
#include "worker/prepared_launch.hpp"

#include <c10/util/Exception.h>

#include <exception>
#include <memory>
#include <new>
#include <string>
#include <utility>

namespace mpsbench::worker {

namespace {

schema::ResultEvent failed(schema::Launch launch, schema::Status status, const std::string& kind,
                           const std::string& message, const std::string& detail) {
  launch.status = status;
  launch.failure = schema::Failure{kind, message, detail};
  return {std::move(launch)};
}

// PREPARED receives what was prepared, and keeps it if the launch fails.
schema::ResultEvent measured_launch(const schema::LaunchRequest& request, Events& events,
                                    std::unique_ptr<PreparedLaunch>& prepared) {
  using schema::Status;
  schema::Launch launch;  // keeps all that was measured, even if the launch fails
  if (request.group) launch.ranks.emplace_back();
  try {
    if (request.spec.mode == schema::Mode::data) {
      measure_data(request, events, launch);
    } else {
      prepared = Preparation(request, events, launch).run();
      prepared->measure(events, launch);
    }
    return {std::move(launch)};
  } catch (const UntrustedLaunch& untrusted) {
    return failed(launch, Status::failed, untrusted.failure.kind, untrusted.failure.message, "");
  } catch (const c10::Error& error) {
    const std::string text = error.what_without_backtrace();
    if (device::says_out_of_memory(text))
      return failed(launch, Status::oom, "oom", device::out_of_memory_message(text), text);
    if (const std::string reason = device::why_unsupported(text); !reason.empty())
      return failed(launch, Status::unsupported, "device", reason, text);
    return failed(launch, Status::failed, "exception", base::first_line(text), text);
  } catch (const std::bad_alloc&) {
    return failed(launch, Status::oom, "oom", "out of memory on the host; lower --batch-size", "");
  } catch (const base::Error& error) {
    if (error.kind() == base::ErrorKind::incomplete)
      return failed(launch, Status::failed, schema::kLostRank, base::first_line(error.what()), error.what());
    const bool no_device = error.kind() == base::ErrorKind::no_device;
    return failed(launch, no_device ? Status::unsupported : Status::failed, no_device ? "device" : "input",
                  base::first_line(error.what()), error.what());
  } catch (const std::exception& error) {
    return failed(launch, Status::failed, "exception", base::first_line(error.what()), error.what());
  }
}

}  // namespace

void measure_data(const schema::LaunchRequest& request, Events& events, schema::Launch& launch) {
  Lap lap;
  PartSender observer(events, launch);
  observer.on_phase(schema::Phase::data);
  step::DataStep step(open_files(request, /*pinned=*/false, launch));
  launch.setup_seconds = schema::SetupSeconds{};  // the front measures load
  launch.setup_seconds->data = lap();

  base::reset_peak_resident();
  measure::HostTimer timer;
  measure::measure_launch(step, timer, observer, measure::alone(), request.measure, measure::work_amount(request.spec),
                          /*latency=*/false, launch);
  launch.peak_resident_bytes = base::peak_resident_bytes();
}

schema::Event run_launch(const schema::LaunchRequest& request, Events& events) {
  std::unique_ptr<PreparedLaunch> prepared;
  schema::ResultEvent last = measured_launch(request, events, prepared);
  // What a failed rank has open may wait for the other ranks. Its process ends without closing it.
  if (request.group && last.launch.status != schema::Status::ok) {
    [[maybe_unused]] const PreparedLaunch* left_open = prepared.release();
  }
  return last;
}

}  // namespace mpsbench::worker
