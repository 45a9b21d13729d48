// A launch: one worker process, or several together, that ran one case once. It keeps every sample, raw and
// in order.
#pragma once

#include "schema/data_source.hpp"
#include "schema/field_json.hpp"
#include "schema/rank.hpp"
#include "schema/sensor.hpp"

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
  double load = 0, device = 0, model = 0, data = 0;
};

template <>
inline constexpr auto kFields<SetupSeconds> =
    table(field<&SetupSeconds::load>(
              seconds("From the start of the process to its first event: loading the program and LibTorch.")),
          field<&SetupSeconds::device>(seconds("Opening the device.")),
          field<&SetupSeconds::model>(seconds("Drawing or loading weights.")),
          field<&SetupSeconds::data>(seconds("Opening the data and making the first batch.")));

// One epoch that was measured as a whole.
struct EpochRecord {
  double seconds = 0;
  std::int64_t steps = 0, rows = 0;
};

template <>
inline constexpr auto kFields<EpochRecord> = table(field<&EpochRecord::seconds>(seconds("Duration of the epoch.")),
                                                   field<&EpochRecord::steps>({"Number of batches in the epoch."}),
                                                   field<&EpochRecord::rows>({"Number of rows in these batches."}));

// The accuracy of the trained network on one part of the data set.
struct Evaluation {
  DataPart part = DataPart::train;
  std::int64_t rows = 0, correct = 0;
  double seconds = 0;
  std::int64_t epoch = 1, steps = 0;
};

template <>
inline constexpr auto kFields<Evaluation> = table(
    field<&Evaluation::part>({"The part of the data set."}), field<&Evaluation::rows>({"Number of rows in the part."}),
    field<&Evaluation::correct>({"Number of rows that the network classified correctly."}),
    field<&Evaluation::seconds>(seconds("Duration, including loading.")),
    field<&Evaluation::epoch>({"The epoch after which this was done, from 1."}),
    field<&Evaluation::steps>({"Number of batches."}));

// Checks that synchronising waits for the device. A window of some operations is compared with one that has
// several times as many.
struct SelfTest {
  std::int64_t operations = 0;
  double window_seconds = 0;
  std::int64_t longer_operations = 0;
  double longer_window_seconds = 0, residual_seconds = 0;
  bool passed = false;
};

template <>
inline constexpr auto kFields<SelfTest> =
    table(field<&SelfTest::operations>({"Operations in a window."}),
          field<&SelfTest::window_seconds>(seconds("Time of that window.")),
          field<&SelfTest::longer_operations>({"Operations in a longer window."}),
          field<&SelfTest::longer_window_seconds>(seconds("Time of the longer window.")),
          field<&SelfTest::residual_seconds>(seconds("Time to read the result after the longer window.")),
          field<&SelfTest::passed>({"Whether the time grew with the number of operations."}));

// The device's events compared with the reference clock over the same windows, in seconds per step.
struct EventCheck {
  double clock_step_seconds = 0, event_step_seconds = 0;
  bool agrees = false;
};

template <>
inline constexpr auto kFields<EventCheck> =
    table(field<&EventCheck::clock_step_seconds>(seconds("Time per step by the reference clock.")),
          field<&EventCheck::event_step_seconds>(
              {"Time per step by the device's events; negative if they ran backwards.", "s"}),
          field<&EventCheck::agrees>({"Whether the two times agree; if not, no event samples are kept."}));

// What batches from the host cost, in seconds per step.
struct InputTimes {
  double resident_step_seconds = 0, feed_seconds = 0;
};

template <>
inline constexpr auto kFields<InputTimes> = table(
    field<&InputTimes::resident_step_seconds>(seconds("Time of the same step if its batch is already on the device.")),
    field<&InputTimes::feed_seconds>(seconds("Time to prepare and copy one batch while no step runs.")));

// The lengths, in tokens, of the batches of texts that were padded to their longest.
struct PaddedLengths {
  std::int64_t batches = 0, least = 0;
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
  double forward_seconds = 0, backward_seconds = 0, update_seconds = 0;
};

template <>
inline constexpr auto kFields<StepParts> =
    table(field<&StepParts::forward_seconds>(seconds("Zeroing gradients, forward pass and loss.")),
          field<&StepParts::backward_seconds>(seconds("Backward pass, and what is done to gradients.")),
          field<&StepParts::update_seconds>(seconds("The optimizer.")));

// What averaging the gradients of several processes costs.
struct Communication {
  double compute_step_seconds = 0, average_seconds = 0;
  std::int64_t bytes = 0, buckets = 0;
};

template <>
inline constexpr auto kFields<Communication> = table(
    field<&Communication::compute_step_seconds>(
        seconds("Median step of the slowest rank when no gradients are averaged.")),
    field<&Communication::average_seconds>(seconds("Time to average all gradients of a step while nothing else runs.")),
    field<&Communication::bytes>({"Bytes of gradients that each rank averages per step.", "B"}),
    field<&Communication::buckets>({"Number of buckets that hold them."}));

// Memory in use between two windows: of the device's allocator if it reports that, otherwise the process's
// private memory.
struct LiveBytes {
  std::int64_t step = 0, bytes = 0;
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
  std::optional<double> difference;
  double limit = 0;
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
  std::int64_t index = 0, order = 0;
  std::string started_at;
  double wall_seconds = 0;

  std::vector<double> samples_seconds;
  std::int64_t steps_per_sample = 0;
  std::vector<double> prefill_samples_seconds, latency_samples_seconds, event_samples_seconds;
  std::int64_t event_steps_per_sample = 1;
  std::vector<double> warmup_samples_seconds;
  std::optional<double> first_step_seconds;
  std::optional<SetupSeconds> setup_seconds;
  std::optional<WorkingThreads> working_threads;
  std::string stopped_by;
  std::vector<std::string> unmet;
  std::vector<std::optional<double>> losses;
  std::vector<EpochRecord> epochs;
  std::vector<Evaluation> evaluations;
  std::optional<double> loop_seconds;
  std::optional<std::int64_t> peak_resident_bytes, peak_device_bytes, peak_reserved_bytes;
  std::vector<LiveBytes> live_bytes;
  std::optional<double> enqueue_seconds;
  std::optional<InputTimes> input_times;
  std::optional<PaddedLengths> padded_lengths;
  std::optional<SelfTest> self_test;
  std::optional<EventCheck> event_check;
  std::optional<StepParts> step_parts;
  std::vector<AgreementCheck> agreement;
  std::optional<double> quantization_error;
  std::map<std::string, std::string> backend;
  std::vector<SensorRecord> sensors;
  std::map<std::string, std::string> sensor_notes;
  std::optional<double> compile_seconds;
  std::optional<Communication> communication;
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
    field<&Launch::wall_seconds>(seconds("Duration of the whole launch.")),
    field<&Launch::samples_seconds>(seconds("Seconds per step of each window, in order.")),
    field<&Launch::steps_per_sample>({"Number of steps in a window."}),
    field<&Launch::prefill_samples_seconds>(
        absent_when_empty(seconds("Only if it generates: from a prompt to its first token on the host."))),
    field<&Launch::latency_samples_seconds>(seconds("Seconds of single steps, with a synchronise after each.")),
    field<&Launch::event_samples_seconds>(
        detail(seconds("Seconds per step by the device's events; empty if they disagree with the clock."))),
    field<&Launch::event_steps_per_sample>(
        {.meaning = "Number of steps between two events; more than 1 only if events would slow single steps down.",
         .bounds = {.min = 1}}),
    field<&Launch::warmup_samples_seconds>(detail(seconds("Seconds per step of the warm-up, without the first step."))),
    field<&Launch::first_step_seconds>(seconds("Time of the very first step.")),
    field<&Launch::setup_seconds>(detail({"How long the set-up before the first step took, by part.", "s"})),
    field<&Launch::working_threads>(
        absent_when_empty({"On the CPU: the threads that work, and on which CPUs, whatever `spec.threads` says."})),
    field<&Launch::stopped_by>({"The option that ended the launch: \"max-noise\", \"max-time\", ..."}),
    field<&Launch::unmet>(
        {.meaning = "Conditions that were not reached: \"warmup\", \"min-time\", \"min-samples\", \"max-noise\"."}),
    field<&Launch::losses>(detail({"Losses of the first steps, then one per window. Null: not finite."})),
    field<&Launch::epochs>({"The epochs that were measured as a whole."}),
    field<&Launch::evaluations>(
        {"Accuracy on the training and validation parts after each epoch, and on the test part after the last."}),
    field<&Launch::loop_seconds>(seconds("Duration of all iterations, by the published loop's own clock.")),
    field<&Launch::peak_resident_bytes>({"Peak memory of the process.", "B"}),
    field<&Launch::peak_device_bytes>({"Peak memory of tensors on the device.", "B"}),
    field<&Launch::peak_reserved_bytes>({"Peak memory that the device's allocator reserved.", "B"}),
    field<&Launch::live_bytes>(detail(
        {"Memory in use between windows: of the device's allocator if it reports that, otherwise of the process."})),
    field<&Launch::enqueue_seconds>(seconds("Time that the host needs to queue a step on an idle device.")),
    field<&Launch::input_times>(
        {"Only with batches from the host: the times of a step and of providing its batch, each alone."}),
    field<&Launch::padded_lengths>({"Only with `--pad longest`: to which lengths the batches of texts were padded."}),
    field<&Launch::self_test>(
        detail({"Checks that synchronising really waits for the device: more operations must take more time."})),
    field<&Launch::event_check>(
        detail({"The device's events compared with the reference clock over the same windows."})),
    field<&Launch::agreement>(
        absent_when_empty({"What was compared with a reference before the measurement; absent if nothing was."})),
    field<&Launch::quantization_error>(absent_when_empty({"int8, int4: by how much quantizing the weights changes the "
                                                          "output, relative to its largest value: both on the "
                                                          "CPU in fp32. Only in launches that compared themselves.",
                                                          "1",
                                                          {.min = 0}})),
    field<&Launch::step_parts>(
        detail({"Only in training whose steps are not replayed as a whole: medians of the times of a step's parts, "
                "by the device's events or, on the CPU, by the clock."})),
    field<&Launch::backend>({"The settings in effect, as LibTorch reports them: \"matmul\": \"tf32\", ..."}),
    field<&Launch::sensors>({"Sensor readings taken during the measurement."}),
    field<&Launch::sensor_notes>(
        {"For each sensor that could not be read, the reason; under \"agreement\", why the launch could not be "
         "compared with a reference; under \"weights\", which of the network's tensors were drawn because the file of "
         "--weights lacks them, and which of the file's are left over."}),
    field<&Launch::compile_seconds>(seconds(
        "How long it took to compile the package that the launch ran, also if an earlier run did that, with its twin "
        "without dropout if both were compiled at the same time.")),
    field<&Launch::communication>(
        absent_when_empty({"What averaging the gradients costs; absent if nothing was averaged."})),
    field<&Launch::ranks>(absent_when_empty(
        {"The processes that ran the launch together; absent if there was only one. Status and failure are "
         "those of the first rank that failed, all other values are rank 0's."})));

// The key of sensor_notes that says why a launch could not be compared.
inline constexpr const char* kAgreementNote = "agreement";

// Whether LAUNCH compared itself or tried to. Then its process held copies of the network, so
// peak_resident_bytes is larger than in other launches.
[[nodiscard]] inline bool has_compared(const Launch& launch) {
  return !launch.agreement.empty() || launch.sensor_notes.contains(kAgreementNote);
}

}  // namespace mpsbench::schema
