#include "schema/launch.hpp"

#include "schema/field_json.hpp"
#include "schema/samples_json.hpp"
#include "schema/sensor_json.hpp"
#include "schema/status_json.hpp"
#include "schema/working_threads_json.hpp"

#include <utility>

namespace mpsbench::schema {
namespace {

using nlohmann::ordered_json;

constexpr Field<SetupSeconds, double> kSetupFields[] = {
    {"load",
     &SetupSeconds::load,
     {"From the start of the process to its first event: loading the program and LibTorch.", "s", kTime}},
    {"device", &SetupSeconds::device, {"Opening the device.", "s", kTime}},
    {"model", &SetupSeconds::model, {"Drawing or loading weights.", "s", kTime}},
    {"data", &SetupSeconds::data, {"Opening the data and making the first batch.", "s", kTime}},
};

constexpr Field<SelfTest, std::int64_t, double, bool> kSelfTestFields[] = {
    {"operations", &SelfTest::operations, {"Operations in a window."}},
    {"window_seconds", &SelfTest::window_seconds, {"Time of that window.", "s", kTime}},
    {"longer_operations", &SelfTest::longer_operations, {"Operations in a longer window."}},
    {"longer_window_seconds", &SelfTest::longer_window_seconds, {"Time of the longer window.", "s", kTime}},
    {"residual_seconds",
     &SelfTest::residual_seconds,
     {"Time to read the result after the longer window.", "s", kTime}},
    {"passed", &SelfTest::passed, {"Whether the time grew with the number of operations."}},
};

constexpr Field<EventCheck, double, bool> kEventCheckFields[] = {
    {"clock_step_seconds",
     &EventCheck::clock_step_seconds,
     {"Time per step by the reference clock.", "s", kTime}},
    {"event_step_seconds",
     &EventCheck::event_step_seconds,
     {"Time per step by the device's events; negative if they ran backwards.", "s"}},
    {"agrees", &EventCheck::agrees, {"Whether the two times agree; if not, no event samples are kept."}},
};

constexpr Field<AgreementCheck, Reference, Compared, std::optional<double>, double> kAgreementFields[] = {
    {"reference",
     &AgreementCheck::reference,
     {"What the network was compared with: eager on the CPU in fp32, or eager on the same device."}},
    {"quantity", &AgreementCheck::quantity, {"What was compared."}},
    {"difference",
     &AgreementCheck::difference,
     {"The relative difference; null: a value was not finite.", "1", {.min = 0}}},
    {"limit", &AgreementCheck::limit, {"The launch fails if the difference is larger.", "1", {.min = 0}}},
};

constexpr Field<InputTimes, double> kInputTimesFields[] = {
    {"resident_step_seconds",
     &InputTimes::resident_step_seconds,
     {"Time of the same step if its batch is already on the device.", "s", kTime}},
    {"feed_seconds",
     &InputTimes::feed_seconds,
     {"Time to prepare and copy one batch while no step runs.", "s", kTime}},
};

constexpr Field<PaddedLengths, double, std::int64_t> kPaddedLengthsFields[] = {
    {"batches", &PaddedLengths::batches, {"Number of batches that were read, warm-up included."}},
    {"least", &PaddedLengths::least, {"The shortest of them, in tokens."}},
    {"mean", &PaddedLengths::mean, {.meaning = "Their mean.", .bounds = {.min = 0}}},
    {"most", &PaddedLengths::most, {"The longest of them."}},
};

constexpr Field<StepParts, double> kStepPartsFields[] = {
    {"forward_seconds",
     &StepParts::forward_seconds,
     {"Zeroing gradients, forward pass and loss.", "s", kTime}},
    {"backward_seconds",
     &StepParts::backward_seconds,
     {"Backward pass, and what is done to gradients.", "s", kTime}},
    {"update_seconds", &StepParts::update_seconds, {"The optimizer.", "s", kTime}},
};

constexpr Field<Communication, double, std::int64_t> kCommunicationFields[] = {
    {"compute_step_seconds",
     &Communication::compute_step_seconds,
     {"Median step of the slowest rank when no gradients are averaged.", "s", kTime}},
    {"average_seconds",
     &Communication::average_seconds,
     {"Time to average all gradients of a step while nothing else runs.", "s", kTime}},
    {"bytes", &Communication::bytes, {"Bytes of gradients that each rank averages per step.", "B"}},
    {"buckets", &Communication::buckets, {"Number of buckets that hold them."}},
};

constexpr Field<EpochRecord, double, std::int64_t> kEpochRecordFields[] = {
    {"seconds", &EpochRecord::seconds, {"Duration of the epoch.", "s", kTime}},
    {"steps", &EpochRecord::steps, {"Number of batches in the epoch."}},
    {"rows", &EpochRecord::rows, {"Number of rows in these batches."}},
};

constexpr Field<Evaluation, DataPart, std::int64_t, double, std::optional<std::int64_t>> kEvaluationFields[] =
    {
        {"part", &Evaluation::part, {"The part of the data set."}},
        {"rows", &Evaluation::rows, {"Number of rows in the part."}},
        {"correct", &Evaluation::correct, {"Number of rows that the network classified correctly."}},
        {"seconds", &Evaluation::seconds, {"Duration, including loading.", "s", kTime}},
        {"epoch", &Evaluation::epoch, late({"The epoch after which this was done, from 1."})},
        {"steps", &Evaluation::steps,
         late({"Number of batches; null if an older version wrote the report."})},
};

constexpr Field<LiveBytes, std::int64_t> kLiveBytesFields[] = {
    {"step", &LiveBytes::step, {"Number of timed steps so far."}},
    {"bytes", &LiveBytes::bytes, {"Memory in use.", "B"}},
};

}  // namespace

template <>
struct Json<SetupSeconds> : ObjectJson<SetupSeconds, kSetupFields> {};
template <>
struct Json<SelfTest> : ObjectJson<SelfTest, kSelfTestFields> {};
template <>
struct Json<EventCheck> : ObjectJson<EventCheck, kEventCheckFields> {};
template <>
struct Json<AgreementCheck> : ObjectJson<AgreementCheck, kAgreementFields> {};
template <>
struct Json<InputTimes> : ObjectJson<InputTimes, kInputTimesFields> {};
template <>
struct Json<PaddedLengths> : ObjectJson<PaddedLengths, kPaddedLengthsFields> {};
template <>
struct Json<StepParts> : ObjectJson<StepParts, kStepPartsFields> {};
template <>
struct Json<Communication> : ObjectJson<Communication, kCommunicationFields> {};
template <>
struct Json<EpochRecord> : ObjectJson<EpochRecord, kEpochRecordFields> {};
template <>
struct Json<Evaluation> : ObjectJson<Evaluation, kEvaluationFields> {};
template <>
struct Json<LiveBytes> : ObjectJson<LiveBytes, kLiveBytesFields> {};

template <>
struct Json<RankResult> {
  static ordered_json write(const RankResult& result) { return to_json(result); }
  static RankResult read(const base::Reader& reader, const FieldInfo&) { return read_rank(reader); }
  static ordered_json schema(const FieldInfo&) { return {{"$ref", "#/$defs/rank"}}; }
};

namespace {

using LaunchField =
    Field<Launch, Status, std::string, std::int64_t, double, std::optional<Failure>,
          std::optional<Disturbance>, std::vector<double>, std::optional<double>, std::optional<std::int64_t>,
          std::optional<SetupSeconds>, std::vector<std::string>, std::vector<std::optional<double>>,
          std::vector<EpochRecord>, std::vector<Evaluation>, std::vector<LiveBytes>,
          std::optional<InputTimes>, std::optional<PaddedLengths>, std::optional<SelfTest>,
          std::optional<EventCheck>, std::optional<StepParts>, std::optional<Communication>,
          std::optional<WorkingThreads>, std::map<std::string, std::string>, std::vector<SensorRecord>,
          std::vector<RankResult>, std::vector<AgreementCheck>>;

using L = Launch;

// The fields of a launch, in the order in which they appear in a report.
constexpr LaunchField kLaunchFields[] = {
    {"status", &L::status, {"How the launch ended."}},
    {"failure", &L::failure, late({"Why it did not end well; null if it did."})},
    {"disturbed", &L::disturbed,
     late({"What disturbed it from outside; null if nothing did. If a case has three undisturbed launches, "
           "its "
           "figures come from those."})},
    {"index", &L::index, {"Number of the launch within its case, from 0."}},
    {"order", &L::order, {"Number of the launch within the run, from 0."}},
    {"started_at", &L::started_at, {"Start time, ISO 8601 in UTC."}},
    {"wall_seconds", &L::wall_seconds, {"Duration of the whole launch.", "s", kTime}},
    {"samples_seconds", &L::samples_seconds, {"Seconds per step of each window, in order.", "s", kTime}},
    {"steps_per_sample", &L::steps_per_sample, {"Number of steps in a window."}},
    {"latency_samples_seconds",
     &L::latency_samples_seconds,
     {"Seconds of single steps, with a synchronise after each.", "s", kTime}},
    {"event_samples_seconds",
     &L::event_samples_seconds,
     {"Seconds per step by the device's events; empty if they disagree with the clock.", "s", kTime}},
    {"event_steps_per_sample", &L::event_steps_per_sample,
     late({.meaning =
               "Number of steps between two events; more than 1 only if events would slow single steps down.",
           .bounds = {.min = 1}})},
    {"warmup_samples_seconds",
     &L::warmup_samples_seconds,
     {"Seconds per step of the warm-up, without the first step.", "s", kTime}},
    {"first_step_seconds", &L::first_step_seconds, {"Time of the very first step.", "s", kTime}},
    {"setup_seconds", &L::setup_seconds,
     late({"How long the set-up before the first step took, by part.", "s"})},
    {"working_threads", &L::working_threads,
     late({.meaning = "On the CPU: the threads that work, and on which CPUs, whatever `spec.threads` says.",
           .is_absent_when_empty = true})},
    {"stopped_by", &L::stopped_by, {"The option that ended the launch: \"max-noise\", \"max-time\", ..."}},
    {"unmet",
     &L::unmet,
     {"Conditions that were not reached: \"warmup\", \"min-time\", \"min-samples\", \"max-noise\"."}},
    {"losses", &L::losses, {"Losses of the first steps, then one per window. Null: not finite."}},
    {"epochs", &L::epochs, {"The epochs that were measured as a whole."}},
    {"evaluations", &L::evaluations,
     late({"Accuracy on the training and validation parts after each epoch, and on the test part after the "
           "last."})},
    {"loop_seconds", &L::loop_seconds,
     late({"Duration of all iterations, by the published loop's own clock.", "s", kTime})},
    {"peak_resident_bytes", &L::peak_resident_bytes, {"Peak memory of the process.", "B"}},
    {"peak_device_bytes", &L::peak_device_bytes, {"Peak memory of tensors on the device.", "B"}},
    {"peak_reserved_bytes",
     &L::peak_reserved_bytes,
     {"Peak memory that the device's allocator reserved.", "B"}},
    {"live_bytes", &L::live_bytes,
     late({"Memory in use between windows: of the device's allocator if it reports that, otherwise of the "
           "process."})},
    {"enqueue_seconds",
     &L::enqueue_seconds,
     {"Time that the host needs to queue a step on an idle device.", "s", kTime}},
    {"input_times", &L::input_times,
     late({"Only with batches from the host: the times of a step and of providing its batch, each alone."})},
    {"padded_lengths", &L::padded_lengths,
     late({"Only with `--pad longest`: to which lengths the batches of texts were padded."})},
    {"self_test", &L::self_test,
     late({"Checks that synchronising really waits for the device: more operations must take more time."})},
    {"event_check", &L::event_check,
     late({"The device's events compared with the reference clock over the same windows."})},
    {"agreement", &L::agreement,
     late({.meaning = "What was compared with a reference before the measurement; absent if nothing was.",
           .is_absent_when_empty = true})},
    {"step_parts", &L::step_parts,
     late({"Only in training whose steps are not replayed as a whole: medians of the times of a step's "
           "parts, by the device's events or, on the "
           "CPU, by the clock."})},
    {"backend", &L::backend, {"The settings in effect, as LibTorch reports them: \"matmul\": \"tf32\", ..."}},
    {"sensors", &L::sensors, {"Sensor readings taken during the measurement."}},
    {"sensor_notes", &L::sensor_notes,
     late({"For each sensor that could not be read, the reason; under \"agreement\", why the launch "
           "could not be compared with a reference; under \"weights\", which of the network's tensors were "
           "drawn because the file of --weights lacks them, and which of the file's are left over."})},
    {"compile_seconds", &L::compile_seconds,
     late({"How long it took to compile the package that the launch ran, also if an earlier run did that.",
           "s", kTime})},
    {"communication", &L::communication,
     late({.meaning = "What averaging the gradients costs; absent if nothing was averaged.",
           .is_absent_when_empty = true})},
    {"ranks", &L::ranks,
     late({.meaning = "The processes that ran the launch together; absent if there was only one. Status and "
                      "failure are "
                      "those of the first rank that failed, all other values are rank 0's.",
           .is_absent_when_empty = true})},
};

using LaunchJson = ObjectJson<Launch, kLaunchFields>;

}  // namespace

ordered_json to_json(const Launch& launch) {
  return LaunchJson::write(launch);
}

Launch read_launch(base::Reader reader) {
  return LaunchJson::read(std::move(reader));
}

ordered_json launch_json_schema() {
  return LaunchJson::schema();
}

}  // namespace mpsbench::schema
