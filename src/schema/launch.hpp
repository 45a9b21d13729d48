// A launch: one worker process, or several together, that ran one case once. It keeps every sample, raw and
// in order.
#pragma once

#include "base/json_reader.hpp"
#include "schema/agreement_check.hpp"
#include "schema/data_part.hpp"
#include "schema/disturbance.hpp"
#include "schema/rank.hpp"
#include "schema/sensor.hpp"
#include "schema/status.hpp"
#include "schema/working_threads.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mpsbench::schema {

// The failure kind of a launch whose output differed too much from the CPU's.
inline constexpr const char* kWrongOutput = "wrong_output";

// The kind of failure of a launch whose worker sent what it must not send.
inline constexpr const char* kProtocolFailure = "protocol";

struct SetupSeconds {
  double load = 0;    // from the process's start to its first event: loading LibTorch
  double device = 0;  // opening the device
  double model = 0;   // drawing or loading weights
  double data = 0;    // opening the data and making the first batch
};

// One epoch that was measured as a whole.
struct EpochRecord {
  double seconds = 0;
  std::int64_t steps = 0;
  std::int64_t rows = 0;
};

// The accuracy of the trained network on one part of the data set.
struct Evaluation {
  DataPart part = DataPart::train;
  std::int64_t rows = 0;
  std::int64_t correct = 0;
  double seconds = 0;                   // including loading
  std::int64_t epoch = 1;               // the epoch after which this was done, from 1
  std::optional<std::int64_t> steps{};  // number of batches; nullopt: an older version wrote the report
};

// Checks that synchronising waits for the device. A window of some operations is compared with one that has
// several times as many.
struct SelfTest {
  std::int64_t operations = 0;
  double window_seconds = 0;
  std::int64_t longer_operations = 0;
  double longer_window_seconds = 0;
  double residual_seconds = 0;  // time to read the result after the longer window
  bool passed = false;
};

// The device's events compared with the reference clock over the same windows, in seconds per step.
struct EventCheck {
  double clock_step_seconds = 0;
  double event_step_seconds = 0;
  bool agrees = false;  // if not, no event samples are kept
};

// What batches from the host cost, in seconds per step.
struct InputTimes {
  double resident_step_seconds = 0;  // the same step with its batch already on the device
  double feed_seconds = 0;           // preparing and copying one batch while no step runs
};

// The lengths, in tokens, of the batches of texts that were padded to their longest.
struct PaddedLengths {
  std::int64_t batches = 0;
  std::int64_t least = 0;
  double mean = 0;
  std::int64_t most = 0;
};

// Where a training step's time goes: seconds per step, medians of some steps.
struct StepParts {
  double forward_seconds = 0;   // zeroing gradients, forward pass and loss
  double backward_seconds = 0;  // backward pass, and what is done to gradients
  double update_seconds = 0;    // optimizer
};

// What averaging the gradients of several processes costs.
struct Communication {
  double compute_step_seconds = 0;  // median step of the slowest rank, without averaging
  double average_seconds = 0;       // averaging all gradients of a step while nothing else runs
  std::int64_t bytes = 0;           // that each rank averages per step
  std::int64_t buckets = 0;
};

// Memory in use between two windows: of the device's allocator if it reports that, otherwise the process's
// private memory.
struct LiveBytes {
  std::int64_t step = 0;  // number of timed steps so far
  std::int64_t bytes = 0;
};

struct Launch {
  Status status = Status::ok;
  std::optional<Failure> failure;
  std::optional<Disturbance> disturbed;
  std::int64_t index = 0;  // number within its case, from 0
  std::int64_t order = 0;  // number within the run, from 0
  std::string started_at;
  double wall_seconds = 0;

  // Throughput: seconds per step. Each entry is a window of steps_per_sample steps.
  std::vector<double> samples_seconds;
  std::int64_t steps_per_sample = 0;
  std::vector<double> latency_samples_seconds;  // asynchronous devices only: a synchronise after each step
  // Seconds per step by the device's events, if it has them. Each entry is event_steps_per_sample steps.
  std::vector<double> event_samples_seconds;
  std::int64_t event_steps_per_sample = 1;
  std::vector<double> warmup_samples_seconds;  // seconds per step, without the first step
  std::optional<double> first_step_seconds;
  std::optional<SetupSeconds> setup_seconds;
  std::optional<WorkingThreads> working_threads;  // only on the CPU
  std::string stopped_by;          // "max-noise", "max-time", "max-samples", "max-batches", "epochs",
                                   // "iterations"
  std::vector<std::string> unmet;  // not reached: "warmup", "min-time", "min-samples" or "max-noise"
  std::vector<std::optional<double>> losses;  // null: not finite
  std::vector<EpochRecord> epochs;
  std::vector<Evaluation> evaluations;  // training and validation after each epoch, test at the end
  std::optional<double> loop_seconds;   // all iterations, by the published loop's own clock
  std::optional<std::int64_t> peak_resident_bytes;
  std::optional<std::int64_t> peak_device_bytes;
  std::optional<std::int64_t> peak_reserved_bytes;
  std::vector<LiveBytes> live_bytes;
  std::optional<double> enqueue_seconds;        // host time to queue a step; asynchronous devices only
  std::optional<InputTimes> input_times;        // only for batches from host memory
  std::optional<PaddedLengths> padded_lengths;  // only with --pad longest
  std::optional<SelfTest> self_test;            // only for asynchronous devices
  std::optional<EventCheck> event_check;        // only for devices with events
  std::optional<StepParts> step_parts;          // only in training whose steps are not replayed; not on MPS
  std::vector<AgreementCheck> agreement;        // only in launches that compare with a reference first
  std::map<std::string, std::string>
      backend;  // settings in effect: "matmul": "tf32", "attention": "flash", ...
  std::vector<SensorRecord> sensors;
  std::map<std::string, std::string> sensor_notes;  // by sensor: why it could not be read
  std::optional<double> compile_seconds;  // only of engines that run a package: how long it took to make it
  std::optional<Communication> communication;  // only of training in several processes
  // Only for several processes; the other members are rank 0's. A worker sends itself alone.
  std::vector<RankResult> ranks;
};

[[nodiscard]] nlohmann::ordered_json to_json(const Launch& launch);
[[nodiscard]] Launch read_launch(base::Reader reader);
// Returns the launch's part of configs/schema/report.schema.json.
[[nodiscard]] nlohmann::ordered_json launch_json_schema();

}  // namespace mpsbench::schema
