// A launch: one worker process, or several together, that ran one case once. It keeps every sample, raw and
// in order.
#pragma once

#include "base/json_reader.hpp"
#include "schema/data_source.hpp"
#include "schema/field_json.hpp"
#include "schema/rank.hpp"
#include "schema/sensor.hpp"

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

template <>
inline constexpr auto kFields<SetupSeconds> =
    table(field<&SetupSeconds::load>(
              {"From the start of the process to its first event: loading the program and LibTorch.", "s", kTime}),
          field<&SetupSeconds::device>({"Opening the device.", "s", kTime}),
          field<&SetupSeconds::model>({"Drawing or loading weights.", "s", kTime}),
          field<&SetupSeconds::data>({"Opening the data and making the first batch.", "s", kTime}));

// One epoch that was measured as a whole.
struct EpochRecord {
  double seconds = 0;
  std::int64_t steps = 0;
  std::int64_t rows = 0;
};

template <>
inline constexpr auto kFields<EpochRecord> = table(field<&EpochRecord::seconds>({"Duration of the epoch.", "s", kTime}),
                                                   field<&EpochRecord::steps>({"Number of batches in the epoch."}),
                                                   field<&EpochRecord::rows>({"Number of rows in these batches."}));

// The accuracy of the trained network on one part of the data set.
struct Evaluation {
  DataPart part = DataPart::train;
  std::int64_t rows = 0;
  std::int64_t correct = 0;
  double seconds = 0;      // including loading
  std::int64_t epoch = 1;  // the epoch after which this was done, from 1
  std::int64_t steps = 0;  // number of batches
};

template <>
inline constexpr auto kFields<Evaluation> = table(
    field<&Evaluation::part>({"The part of the data set."}), field<&Evaluation::rows>({"Number of rows in the part."}),
    field<&Evaluation::correct>({"Number of rows that the network classified correctly."}),
    field<&Evaluation::seconds>({"Duration, including loading.", "s", kTime}),
    field<&Evaluation::epoch>({"The epoch after which this was done, from 1."}),
    field<&Evaluation::steps>({"Number of batches."}));

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

template <>
inline constexpr auto kFields<SelfTest> =
    table(field<&SelfTest::operations>({"Operations in a window."}),
          field<&SelfTest::window_seconds>({"Time of that window.", "s", kTime}),
          field<&SelfTest::longer_operations>({"Operations in a longer window."}),
          field<&SelfTest::longer_window_seconds>({"Time of the longer window.", "s", kTime}),
          field<&SelfTest::residual_seconds>({"Time to read the result after the longer window.", "s", kTime}),
          field<&SelfTest::passed>({"Whether the time grew with the number of operations."}));

// The device's events compared with the reference clock over the same windows, in seconds per step.
struct EventCheck {
  double clock_step_seconds = 0;
  double event_step_seconds = 0;
  bool agrees = false;  // if not, no event samples are kept
};

template <>
inline constexpr auto kFields<EventCheck> =
    table(field<&EventCheck::clock_step_seconds>({"Time per step by the reference clock.", "s", kTime}),
          field<&EventCheck::event_step_seconds>(
              {"Time per step by the device's events; negative if they ran backwards.", "s"}),
          field<&EventCheck::agrees>({"Whether the two times agree; if not, no event samples are kept."}));

// What batches from the host cost, in seconds per step.
struct InputTimes {
  double resident_step_seconds = 0;  // the same step with its batch already on the device
  double feed_seconds = 0;           // preparing and copying one batch while no step runs
};

template <>
inline constexpr auto kFields<InputTimes> =
    table(field<&InputTimes::resident_step_seconds>(
              {"Time of the same step if its batch is already on the device.", "s", kTime}),
          field<&InputTimes::feed_seconds>({"Time to prepare and copy one batch while no step runs.", "s", kTime}));

// The lengths, in tokens, of the batches of texts that were padded to their longest.
struct PaddedLengths {
  std::int64_t batches = 0;
  std::int64_t least = 0;
  double mean = 0;
  std::int64_t most = 0;
};

template <>
inline constexpr auto kFields<PaddedLengths> =
    table(field<&PaddedLengths::batches>({"Number of batches that were read, warm-up included."}),
          field<&PaddedLengths::least>({"The shortest of them, in tokens."}),
          field<&PaddedLengths::mean>({.meaning = "Their mean.", .bounds = {.min = 0}}),
          field<&PaddedLengths::most>({"The longest of them."}));

// Where a training step's time goes: seconds per step, medians of some steps.
struct StepParts {
  double forward_seconds = 0;   // zeroing gradients, forward pass and loss
  double backward_seconds = 0;  // backward pass, and what is done to gradients
  double update_seconds = 0;    // optimizer
};

template <>
inline constexpr auto kFields<StepParts> =
    table(field<&StepParts::forward_seconds>({"Zeroing gradients, forward pass and loss.", "s", kTime}),
          field<&StepParts::backward_seconds>({"Backward pass, and what is done to gradients.", "s", kTime}),
          field<&StepParts::update_seconds>({"The optimizer.", "s", kTime}));

// What averaging the gradients of several processes costs.
struct Communication {
  double compute_step_seconds = 0;  // median step of the slowest rank, without averaging
  double average_seconds = 0;       // averaging all gradients of a step while nothing else runs
  std::int64_t bytes = 0;           // that each rank averages per step
  std::int64_t buckets = 0;
};

template <>
inline constexpr auto kFields<Communication> =
    table(field<&Communication::compute_step_seconds>(
              {"Median step of the slowest rank when no gradients are averaged.", "s", kTime}),
          field<&Communication::average_seconds>(
              {"Time to average all gradients of a step while nothing else runs.", "s", kTime}),
          field<&Communication::bytes>({"Bytes of gradients that each rank averages per step.", "B"}),
          field<&Communication::buckets>({"Number of buckets that hold them."}));

// Memory in use between two windows: of the device's allocator if it reports that, otherwise the process's
// private memory.
struct LiveBytes {
  std::int64_t step = 0;  // number of timed steps so far
  std::int64_t bytes = 0;
};

template <>
inline constexpr auto kFields<LiveBytes> = table(field<&LiveBytes::step>({"Number of timed steps so far."}),
                                                 field<&LiveBytes::bytes>({"Memory in use.", "B"}));

// A comparison of what a network computes with a reference, because a fast but wrong answer is not a result.
// What the case's network is compared with: eager on the CPU in fp32, or eager on the same device.
enum class Reference { cpu, eager };

template <>
struct ClosedSet<Reference> : NameSet<Reference, "reference", "cpu", "eager"> {};

// Weights are the trainable ones after one update.
enum class Compared { output, loss, gradients, weights };

template <>
struct ClosedSet<Compared> : NameSet<Compared, "compared quantity", "output", "loss", "gradients", "weights"> {};

struct AgreementCheck {
  Reference reference = Reference::cpu;
  Compared quantity = Compared::output;
  std::optional<double> difference;  // relative, docs/measuring.md says to what; null: not finite
  double limit = 0;                  // above this the launch fails with wrong_output
};

template <>
inline constexpr auto kFields<AgreementCheck> = table(
    field<&AgreementCheck::reference>(
        {"What the network was compared with: eager on the CPU in fp32, or eager on the same device."}),
    field<&AgreementCheck::quantity>({"What was compared."}),
    field<&AgreementCheck::difference>({"The relative difference; null: a value was not finite.", "1", {.min = 0}}),
    field<&AgreementCheck::limit>({"The launch fails if the difference is larger.", "1", {.min = 0}}));

[[nodiscard]] inline bool agrees(const AgreementCheck& check) {
  return check.difference && *check.difference <= check.limit;
}

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
  std::string stopped_by;                         // "max-noise", "max-time", "max-samples", "max-batches", "epochs",
                                                  // "iterations"
  std::vector<std::string> unmet;                 // not reached: "warmup", "min-time", "min-samples" or "max-noise"
  std::vector<std::optional<double>> losses;      // null: not finite
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
  std::map<std::string, std::string> backend;   // settings in effect: "matmul": "tf32", "attention": "flash", ...
  std::vector<SensorRecord> sensors;
  std::map<std::string, std::string> sensor_notes;  // by sensor: why it could not be read
  std::optional<double> compile_seconds;            // only of engines that run a package: how long it took to make it
  std::optional<Communication> communication;       // only of training in several processes
  // Only for several processes; the other members are rank 0's. A worker sends itself alone.
  std::vector<RankResult> ranks;
};

// The fields of a launch, in the order in which they appear in a report.
template <>
inline constexpr auto kFields<Launch> = table(
    "launch", field<&Launch::status>({"How the launch ended."}),
    field<&Launch::failure>({"Why it did not end well; null if it did."}),
    field<&Launch::disturbed>({"What disturbed it from outside; null if nothing did. If a case has three undisturbed "
                               "launches, its figures come from those."}),
    field<&Launch::index>({"Number of the launch within its case, from 0."}),
    field<&Launch::order>({"Number of the launch within the run, from 0."}),
    field<&Launch::started_at>({"Start time, ISO 8601 in UTC."}),
    field<&Launch::wall_seconds>({"Duration of the whole launch.", "s", kTime}),
    field<&Launch::samples_seconds>({"Seconds per step of each window, in order.", "s", kTime}),
    field<&Launch::steps_per_sample>({"Number of steps in a window."}),
    field<&Launch::latency_samples_seconds>({"Seconds of single steps, with a synchronise after each.", "s", kTime}),
    field<&Launch::event_samples_seconds>(
        {.meaning = "Seconds per step by the device's events; empty if they disagree with the clock.",
         .unit = "s",
         .bounds = kTime,
         .is_detail = true}),
    field<&Launch::event_steps_per_sample>(
        {.meaning = "Number of steps between two events; more than 1 only if events would slow single steps down.",
         .bounds = {.min = 1}}),
    field<&Launch::warmup_samples_seconds>({.meaning = "Seconds per step of the warm-up, without the first step.",
                                            .unit = "s",
                                            .bounds = kTime,
                                            .is_detail = true}),
    field<&Launch::first_step_seconds>({"Time of the very first step.", "s", kTime}),
    field<&Launch::setup_seconds>(
        {.meaning = "How long the set-up before the first step took, by part.", .unit = "s", .is_detail = true}),
    field<&Launch::working_threads>(
        {.meaning = "On the CPU: the threads that work, and on which CPUs, whatever `spec.threads` says.",
         .is_absent_when_empty = true}),
    field<&Launch::stopped_by>({"The option that ended the launch: \"max-noise\", \"max-time\", ..."}),
    field<&Launch::unmet>(
        {.meaning = "Conditions that were not reached: \"warmup\", \"min-time\", \"min-samples\", \"max-noise\"."}),
    field<&Launch::losses>(
        {.meaning = "Losses of the first steps, then one per window. Null: not finite.", .is_detail = true}),
    field<&Launch::epochs>({"The epochs that were measured as a whole."}),
    field<&Launch::evaluations>(
        {"Accuracy on the training and validation parts after each epoch, and on the test part after the last."}),
    field<&Launch::loop_seconds>({"Duration of all iterations, by the published loop's own clock.", "s", kTime}),
    field<&Launch::peak_resident_bytes>({"Peak memory of the process.", "B"}),
    field<&Launch::peak_device_bytes>({"Peak memory of tensors on the device.", "B"}),
    field<&Launch::peak_reserved_bytes>({"Peak memory that the device's allocator reserved.", "B"}),
    field<&Launch::live_bytes>(
        {.meaning =
             "Memory in use between windows: of the device's allocator if it reports that, otherwise of the process.",
         .is_detail = true}),
    field<&Launch::enqueue_seconds>({"Time that the host needs to queue a step on an idle device.", "s", kTime}),
    field<&Launch::input_times>(
        {"Only with batches from the host: the times of a step and of providing its batch, each alone."}),
    field<&Launch::padded_lengths>({"Only with `--pad longest`: to which lengths the batches of texts were padded."}),
    field<&Launch::self_test>(
        {.meaning = "Checks that synchronising really waits for the device: more operations must take more time.",
         .is_detail = true}),
    field<&Launch::event_check>(
        {.meaning = "The device's events compared with the reference clock over the same windows.", .is_detail = true}),
    field<&Launch::agreement>(
        {.meaning = "What was compared with a reference before the measurement; absent if nothing was.",
         .is_absent_when_empty = true}),
    field<&Launch::step_parts>(
        {.meaning = "Only in training whose steps are not replayed as a whole: medians of the times of a step's parts, "
                    "by the device's events or, on the CPU, by the clock.",
         .is_detail = true}),
    field<&Launch::backend>({"The settings in effect, as LibTorch reports them: \"matmul\": \"tf32\", ..."}),
    field<&Launch::sensors>({"Sensor readings taken during the measurement."}),
    field<&Launch::sensor_notes>(
        {"For each sensor that could not be read, the reason; under \"agreement\", why the launch could not be "
         "compared with a reference; under \"weights\", which of the network's tensors were drawn because the file of "
         "--weights lacks them, and which of the file's are left over."}),
    field<&Launch::compile_seconds>(
        {"How long it took to compile the package that the launch ran, also if an earlier run did that.", "s", kTime}),
    field<&Launch::communication>({.meaning = "What averaging the gradients costs; absent if nothing was averaged.",
                                   .is_absent_when_empty = true}),
    field<&Launch::ranks>(
        {.meaning = "The processes that ran the launch together; absent if there was only one. Status and failure are "
                    "those of the first rank that failed, all other values are rank 0's.",
         .is_absent_when_empty = true}));

// The key of sensor_notes that says why a launch could not be compared.
inline constexpr const char* kAgreementNote = "agreement";

// Whether LAUNCH compared itself or tried to. Then its process held copies of the network, so
// peak_resident_bytes is larger than in other launches.
[[nodiscard]] inline bool has_compared(const Launch& launch) {
  return !launch.agreement.empty() || launch.sensor_notes.contains(kAgreementNote);
}

}  // namespace mpsbench::schema
