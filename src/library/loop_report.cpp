#include "library/loop_report.hpp"

#include "base/clock.hpp"
#include "base/hex.hpp"
#include "base/process_memory.hpp"
#include "measure/measure_launch.hpp"
#include "measure/progress.hpp"
#include "measure/step.hpp"
#include "model/definition.hpp"
#include "report/host/host_capture.hpp"
#include "report/metrics/assemble.hpp"
#include "schema/case_spec.hpp"
#include "schema/host.hpp"
#include "schema/run_info.hpp"
#include "sensor/recorder.hpp"
#include "supervise/machine_state.hpp"

#include <ctime>
#include <optional>

namespace mpsbench::library {
namespace {

// The reference clock of the loop's device.
class LoopTimer final : public measure::HostTimer {
 public:
  explicit LoopTimer(const Loop& loop) : loop_(loop) {}

  void synchronize() override {
    if (loop_.synchronize) loop_.synchronize();
  }
  [[nodiscard]] bool asynchronous() const override { return loop_.device.row().asynchronous; }

 private:
  const Loop& loop_;
};

class LoopStep final : public measure::Step {
 public:
  // READ_RESULT may be null.
  LoopStep(const std::function<void()>& step, const std::function<double()>& read_result)
      : step_(step), read_result_(read_result) {}

  void run() override { step_(); }
  std::optional<double> loss() override { return read_result_ ? std::optional(read_result_()) : std::nullopt; }

 private:
  const std::function<void()>& step_;
  const std::function<double()>& read_result_;
};

// Reads sensors and memory between windows.
class LoopObserver final : public measure::Observer {
 public:
  explicit LoopObserver(schema::Launch& launch)
      : recorder_(sensor::machine_sources({})), live_memory_(base::private_bytes, launch.live_bytes) {}

  void on_phase(schema::Phase phase) override { recorder_.on_phase(phase); }
  void on_window(std::int64_t steps) override { live_memory_.after_window(steps); }
  void on_progress(const schema::ProgressEvent& /*progress*/) override { recorder_.on_tick(); }

  // Call this once, after the last window.
  void record(schema::Launch& launch) {
    recorder_.on_result();
    recorder_.record(launch);
  }

 private:
  sensor::Recorder recorder_;
  measure::LiveMemoryLog live_memory_;
};

void require_sound(const Loop& loop, const std::function<void()>& step) {
  const auto require = [](bool ok, const char* message) {
    if (!ok) throw base::usage_error(std::string("time_loop: ") + message);
  };
  require(static_cast<bool>(step), "the step is an empty function; pass one that can be called");
  require(model::is_model_name(loop.name), "name must be 1 to 100 letters and digits (of any script), _, - and .");
  require(row_of(loop.mode).has_network, "mode must be infer or train");
  require(loop.threads != 0, "threads is missing; say with how many threads the loop computes on the CPU, such as 1");
  const bool is_gpu = loop.device.row().asynchronous;
  require(!is_gpu || loop.synchronize,
          "synchronize is missing; on a GPU, pass a function that waits until the device has finished");
  require(!is_gpu || loop.read_result,
          "read_result is missing; on a GPU, pass a function that returns a number that the last step "
          "computed");
  require(is_gpu || !loop.synchronize,
          "synchronize is only for a GPU; name the device, or leave it out if the step itself waits");
}

schema::CaseSpec case_spec(const Loop& loop) {
  schema::CaseSpec spec;
  spec.model = loop.name;
  spec.mode = loop.mode;
  spec.device = loop.device;
  spec.batch_size = loop.batch_size;
  spec.precision = loop.precision;
  spec.threads = loop.threads;
  spec.rows = loop.rows == 0 ? loop.batch_size : loop.rows;
  spec.loss = "unknown";
  spec.optimizer.name = "unknown";
  return spec;
}

// Throws the error of reading back a report with these values, which names the member.
schema::PlannedCase planned_case(const Loop& loop) {
  const schema::CaseSpec spec = case_spec(loop);
  const nlohmann::json written = schema::to_json(spec);
  const nlohmann::json measure = schema::to_json(loop.measure);
  (void)schema::from_json<schema::CaseSpec>(base::Reader(written, "time_loop", "loop"));
  (void)schema::from_json<schema::MeasureSpec>(base::Reader(measure, "time_loop", "loop.measure"));
  schema::PlannedCase planned;
  planned.id = schema::plain_case_id(spec, std::to_string(spec.batch_size));
  planned.definition_sha256 = schema::definition_sha256(schema::timed_loop_definition(loop.name));
  planned.spec = spec;
  planned.measure = loop.measure;
  planned.repeats = 1;
  return planned;
}

schema::RunRecord record_of(const Loop& loop) {
  constexpr std::size_t kRunIdLength = 12;
  schema::RunRecord record;
  record.tool = schema::tool_info();
  record.run.id = base::random_hex(kRunIdLength);
  record.run.started_at = base::utc_timestamp();
  record.run.suite = "loop";
  record.run.purpose = schema::Purpose::plain;
  record.run.planned.push_back(planned_case(loop));
  record.run.definitions[record.run.planned.front().definition_sha256] = schema::timed_loop_definition(loop.name);
  record.host = report::capture_host(std::nullopt, ".");
  if (!loop.device_name.empty()) record.host.accelerators.push_back({loop.device, loop.device_name, std::nullopt});
  return record;
}

void require_synchronise(const Loop& loop, const std::function<void()>& step, measure::Timer& timer,
                         schema::Launch& launch) {
  LoopStep operation(step, loop.read_result);
  launch.self_test = measure::test_synchronise(operation, timer);
  if (!launch.self_test->passed)
    throw Error(ErrorKind::no_device,
                "time_loop: synchronize() does not wait for the work of a step, or reading its result takes "
                "as long as the work, so all times would be wrong; let synchronize() wait for the whole "
                "device, and read_result() read one number");
}

schema::Launch measured_launch(const Loop& loop, const std::function<void()>& step, measure::Timer& timer) {
  static const std::function<double()> kNoLoss;
  schema::Launch launch;
  launch.started_at = base::utc_timestamp();
  const supervise::MachineState before = supervise::read_machine_state();
  const std::clock_t cpu_begin = std::clock();
  const double begin = base::steady_seconds();

  LoopObserver observer(launch);
  LoopStep timed(step, row_of(loop.mode).trains ? loop.read_result : kNoLoss);
  measure::measure_launch(timed, timer, observer, measure::alone(), loop.measure, {}, row_of(loop.mode).has_latency,
                          launch);
  if (timer.asynchronous()) require_synchronise(loop, step, timer, launch);

  launch.wall_seconds = base::steady_seconds() - begin;
  const double cpu_seconds = static_cast<double>(std::clock() - cpu_begin) / CLOCKS_PER_SEC;
  if (const auto share =
          supervise::other_cpu_share(before, supervise::read_machine_state(), cpu_seconds, launch.wall_seconds))
    launch.sensors.push_back(schema::sensor_record(schema::sensor::kOtherCpuShare, *share));
  if (schema::shows_background_load(launch.sensors)) launch.disturbed = schema::Disturbance::background_load;
  observer.record(launch);
  launch.peak_resident_bytes = base::peak_resident_bytes();
  return launch;
}

}  // namespace

Report loop_report(const Loop& loop, const std::function<void()>& step, measure::Timer& timer) {
  require_sound(loop, step);
  schema::RunRecord record = record_of(loop);
  record.launches[record.run.planned.front().id].push_back(measured_launch(loop, step, timer));
  record.run.finished_at = base::utc_timestamp();
  return report::assemble(record);
}

}  // namespace mpsbench::library

mpsbench::Report mpsbench::time_loop(const Loop& loop, const std::function<void()>& step) {
  library::LoopTimer timer(loop);
  return library::loop_report(loop, step, timer);
}
