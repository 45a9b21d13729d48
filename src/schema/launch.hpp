// One worker process, or several together, that ran one case once, with every sample it took, raw and in
// order.
#pragma once

#include "base/json_reader.hpp"
#include "schema/data_part.hpp"
#include "schema/rank.hpp"
#include "schema/sensor.hpp"
#include "schema/status.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::schema {

// The failure kind of a launch whose output was off the CPU's.
inline constexpr const char* kWrongOutput = "wrong_output";

struct SetupSeconds {
  double load = 0;    // process start to first event: program and LibTorch
  double device = 0;  // opening the device
  double model = 0;   // drawing or loading weights
  double data = 0;    // making the batch
};

// One whole measured epoch.
struct EpochRecord {
  double seconds = 0;
  std::int64_t steps = 0;
  std::int64_t rows = 0;
};

// The trained network over one part of the data set.
struct Evaluation {
  DataPart part = DataPart::train;
  std::int64_t rows = 0;
  std::int64_t correct = 0;
  double seconds = 0;                   // loading included
  std::int64_t epoch = 1;               // after which, from 1
  std::optional<std::int64_t> steps{};  // batches; nullopt: of a program that did not say
};

// Whether a synchronise of the device waits: windows of the same operation, some and several times as many.
struct SelfTest {
  std::int64_t operations = 0;
  double window_seconds = 0;
  std::int64_t longer_operations = 0;
  double longer_window_seconds = 0;
  double residual_seconds = 0;  // what reading the result took after the longer window
  bool passed = false;
};

// The device's events against the reference clock, over the same windows: seconds a step by each.
struct EventCheck {
  double clock_step_seconds = 0;
  double event_step_seconds = 0;
  bool agrees = false;  // otherwise no event samples are kept
};

// What batches from the host cost, seconds a step.
struct InputTimes {
  double resident_step_seconds = 0;  // the same step, its batch on the device all the time
  double feed_seconds = 0;           // bringing one batch alone: preparing it, copying it
};

// Memory in use between two windows: of the device's allocator where that tells, else private to the process.
struct LiveBytes {
  std::int64_t step = 0;  // timed steps so far
  std::int64_t bytes = 0;
};

struct Launch {
  Status status = Status::ok;
  std::optional<Failure> failure;
  std::int64_t index = 0;  // of its case, from 0
  std::int64_t order = 0;  // in the run, from 0
  std::string started_at;
  double wall_seconds = 0;

  // Throughput: seconds a step, one entry a window of steps_per_sample steps.
  std::vector<double> samples_seconds;
  std::int64_t steps_per_sample = 0;
  std::vector<double> latency_samples_seconds;  // asynchronous devices only: synchronised after every step
  // Seconds a step by the device's events, where it has them; an entry is event_steps_per_sample steps.
  std::vector<double> event_samples_seconds;
  std::int64_t event_steps_per_sample = 1;
  std::vector<double> warmup_samples_seconds;  // seconds a step, the first step not among them
  std::optional<double> first_step_seconds;
  std::optional<SetupSeconds> setup_seconds;
  std::string stopped_by;          // "max-noise", "max-time", "max-samples", "max-batches", "epochs",
                                   // "iterations"
  std::vector<std::string> unmet;  // not reached: "warmup", "min-time", "min-samples", "max-noise"
  std::vector<std::optional<double>> losses;  // null: not finite
  std::vector<EpochRecord> epochs;
  std::vector<Evaluation> evaluations;  // of training and validation after each epoch, of the test at the end
  std::optional<double> loop_seconds;   // of all iterations, by the loop's own clock
  std::optional<std::int64_t> peak_resident_bytes;
  std::optional<std::int64_t> peak_device_bytes;
  std::optional<std::int64_t> peak_reserved_bytes;
  std::vector<LiveBytes> live_bytes;
  std::optional<double> enqueue_seconds;  // host time to queue one step; asynchronous devices only
  std::optional<InputTimes> input_times;  // batches from host memory only
  std::optional<SelfTest> self_test;      // asynchronous devices only
  std::optional<EventCheck> event_check;  // devices with events only
  std::map<std::string, std::string>
      backend;  // what was in force: "matmul": "tf32", "attention": "flash", ...
  std::vector<SensorRecord> sensors;
  std::map<std::string, std::string> sensor_notes;  // by quantity: why it could not be read
  std::vector<RankResult> ranks;                    // several processes only; the rest is rank 0's
};

[[nodiscard]] nlohmann::ordered_json to_json(const Launch& launch);
[[nodiscard]] Launch read_launch(base::Reader reader);
// What configs/schema/report.schema.json says of a launch.
[[nodiscard]] nlohmann::ordered_json launch_json_schema();

}  // namespace mpsbench::schema
