#include "schema/launch.hpp"

#include "schema/field_json.hpp"
#include "schema/status_json.hpp"

#include <utility>

namespace mpsbench::schema {
namespace {

using nlohmann::ordered_json;

constexpr Field<SetupSeconds, double> kSetupFields[] = {
    {"load", &SetupSeconds::load, {"Process start to first event: program and LibTorch.", "s", kTime}},
    {"device", &SetupSeconds::device, {"Opening the device.", "s", kTime}},
    {"model", &SetupSeconds::model, {"Drawing or loading weights.", "s", kTime}},
    {"data", &SetupSeconds::data, {"Making the batch.", "s", kTime}},
};

constexpr Field<SelfTest, std::int64_t, double, bool> kSelfTestFields[] = {
    {"operations", &SelfTest::operations, {"Of a window."}},
    {"window_seconds", &SelfTest::window_seconds, {"Time of such a window.", "s", kTime}},
    {"longer_operations", &SelfTest::longer_operations, {"Of a longer window."}},
    {"longer_window_seconds", &SelfTest::longer_window_seconds, {"Time of such a window.", "s", kTime}},
    {"residual_seconds", &SelfTest::residual_seconds, {"Reading the result after that.", "s", kTime}},
    {"passed", &SelfTest::passed, {"Whether the time grew with the operations."}},
};

constexpr Field<EventCheck, double, bool> kEventCheckFields[] = {
    {"clock_step_seconds", &EventCheck::clock_step_seconds, {"A step by the reference clock.", "s", kTime}},
    {"event_step_seconds", &EventCheck::event_step_seconds, {"By events, which may run backwards.", "s"}},
    {"agrees", &EventCheck::agrees, {"Otherwise no event samples are kept."}},
};

constexpr Field<InputTimes, double> kInputTimesFields[] = {
    {"resident_step_seconds",
     &InputTimes::resident_step_seconds,
     {"The same step, its batch on the device all the time.", "s", kTime}},
    {"feed_seconds",
     &InputTimes::feed_seconds,
     {"Bringing one batch alone: preparing it, copying it.", "s", kTime}},
};

constexpr Field<EpochRecord, double, std::int64_t> kEpochRecordFields[] = {
    {"seconds", &EpochRecord::seconds, {"Time of the epoch.", "s", kTime}},
    {"steps", &EpochRecord::steps, {"Its batches."}},
    {"rows", &EpochRecord::rows, {"Rows in them."}},
};

constexpr Field<Evaluation, DataPart, std::int64_t, double, std::optional<std::int64_t>> kEvaluationFields[] =
    {
        {"part", &Evaluation::part, {"Of the data set."}},
        {"rows", &Evaluation::rows, {"Rows of the part."}},
        {"correct", &Evaluation::correct, {"Rows that the network told right."}},
        {"seconds", &Evaluation::seconds, {"Loading included.", "s", kTime}},
        {"epoch", &Evaluation::epoch, late({"After which, from 1."})},
        {"steps", &Evaluation::steps, late({"Batches; null of a program that did not say."})},
};

constexpr Field<LiveBytes, std::int64_t> kLiveBytesFields[] = {
    {"step", &LiveBytes::step, {"Timed steps so far."}},
    {"bytes", &LiveBytes::bytes, {"In use.", "B"}},
};

}  // namespace

template <>
struct Json<SetupSeconds> : ObjectJson<SetupSeconds, kSetupFields> {};
template <>
struct Json<SelfTest> : ObjectJson<SelfTest, kSelfTestFields> {};
template <>
struct Json<EventCheck> : ObjectJson<EventCheck, kEventCheckFields> {};
template <>
struct Json<InputTimes> : ObjectJson<InputTimes, kInputTimesFields> {};
template <>
struct Json<EpochRecord> : ObjectJson<EpochRecord, kEpochRecordFields> {};
template <>
struct Json<Evaluation> : ObjectJson<Evaluation, kEvaluationFields> {};
template <>
struct Json<LiveBytes> : ObjectJson<LiveBytes, kLiveBytesFields> {};

template <>
struct Json<SensorRecord> {
  static ordered_json write(const SensorRecord& record) { return to_json(record); }
  static SensorRecord read(const base::Reader& reader, const FieldInfo&) {
    return read_sensor_record(reader);
  }
  static ordered_json schema(const FieldInfo&) { return {{"$ref", "#/$defs/sensor"}}; }
};

template <>
struct Json<RankResult> {
  static ordered_json write(const RankResult& result) { return to_json(result); }
  static RankResult read(const base::Reader& reader, const FieldInfo&) { return read_rank(reader); }
  static ordered_json schema(const FieldInfo&) { return {{"$ref", "#/$defs/rank"}}; }
};

// Samples: a launch has many.
template <>
struct Json<std::vector<double>> {
  // More than any launch takes; what is worked out of them may take the square of their number.
  static constexpr std::size_t kMost = 10'000;

  static ordered_json write(const std::vector<double>& samples) { return samples; }
  static std::vector<double> read(const base::Reader& reader, const FieldInfo& about) {
    std::vector<double> samples = reader.numbers();
    if (samples.size() > kMost) {
      throw reader.error("has " + std::to_string(samples.size()) + " samples, more than the " +
                         std::to_string(kMost) + " that a launch can have");
    }
    for (std::size_t i = 0; i < samples.size(); ++i) {
      if (samples[i] < about.bounds.min || samples[i] > about.bounds.max)
        (void)Json<double>::read(reader.item(i), about);  // says what is wrong
    }
    return samples;
  }
  static ordered_json schema(const FieldInfo& about) {
    return {{"type", "array"}, {"items", Json<double>::schema(about)}, {"maxItems", kMost}};
  }
};

namespace {

using LaunchField =
    Field<Launch, Status, std::string, std::int64_t, double, std::optional<Failure>, std::vector<double>,
          std::optional<double>, std::optional<std::int64_t>, std::optional<SetupSeconds>,
          std::vector<std::string>, std::vector<std::optional<double>>, std::vector<EpochRecord>,
          std::vector<Evaluation>, std::vector<LiveBytes>, std::optional<InputTimes>, std::optional<SelfTest>,
          std::optional<EventCheck>, std::map<std::string, std::string>, std::vector<SensorRecord>,
          std::vector<RankResult>>;

using L = Launch;

// In the order in which a report has them.
constexpr LaunchField kLaunchFields[] = {
    {"status", &L::status, {"How the launch ended."}},
    {"failure", &L::failure, late({"Null where it ended well."})},
    {"index", &L::index, {"Of its case, from 0."}},
    {"order", &L::order, {"In the run, from 0."}},
    {"started_at", &L::started_at, {"ISO 8601, UTC."}},
    {"wall_seconds", &L::wall_seconds, {"The whole launch.", "s", kTime}},
    {"samples_seconds", &L::samples_seconds, {"Seconds a step, an entry a window, in order.", "s", kTime}},
    {"steps_per_sample", &L::steps_per_sample, {"Steps of a window."}},
    {"latency_samples_seconds", &L::latency_samples_seconds, {"Steps each waited for.", "s", kTime}},
    {"event_samples_seconds",
     &L::event_samples_seconds,
     {"Seconds a step by the device's events; empty where they disagree with the clock.", "s", kTime}},
    {"event_steps_per_sample", &L::event_steps_per_sample,
     late({.meaning = "Steps between two events: 1, unless their own cost would show.",
           .bounds = {.min = 1}})},
    {"warmup_samples_seconds",
     &L::warmup_samples_seconds,
     {"Of the warm-up, but for the first step.", "s", kTime}},
    {"first_step_seconds", &L::first_step_seconds, {"The very first step.", "s", kTime}},
    {"setup_seconds", &L::setup_seconds, late({"What came before the first step.", "s"})},
    {"stopped_by", &L::stopped_by, {"The option that ended it: \"max-noise\", \"max-time\", ..."}},
    {"unmet", &L::unmet, {"Not reached: \"warmup\", \"min-time\", \"min-samples\", \"max-noise\"."}},
    {"losses", &L::losses, {"Of the first steps, then one a window. Null: not finite."}},
    {"epochs", &L::epochs, {"Whole measured epochs."}},
    {"evaluations", &L::evaluations,
     late({"The network over training and validation after each epoch, over the test after the last."})},
    {"loop_seconds", &L::loop_seconds, late({"Of all iterations, by the loop's own clock.", "s", kTime})},
    {"peak_resident_bytes", &L::peak_resident_bytes, {"The process's most memory.", "B"}},
    {"peak_device_bytes", &L::peak_device_bytes, {"Most that tensors had on the device.", "B"}},
    {"peak_reserved_bytes", &L::peak_reserved_bytes, {"Most that the device's allocator took.", "B"}},
    {"live_bytes", &L::live_bytes,
     late({"Between two windows: of the device's allocator where that tells, else of the process."})},
    {"enqueue_seconds", &L::enqueue_seconds, {"Host time to queue a step on an idle device.", "s", kTime}},
    {"input_times", &L::input_times,
     late({"With batches from the host: the step with its batch resident, and bringing one alone."})},
    {"self_test", &L::self_test,
     late({"Whether a synchronise of the device waits: the times for some operations and for more."})},
    {"event_check", &L::event_check,
     late({"The device's events against the reference clock, over the same windows."})},
    {"backend", &L::backend, {"What was in force, as the library says: \"matmul\": \"tf32\", ..."}},
    {"sensors", &L::sensors, {"What the machine did while it was measured."}},
    {"sensor_notes", &L::sensor_notes, late({"By sensor: why it could not be read."})},
    {"ranks", &L::ranks,
     late({.meaning = "The processes that ran the launch together, absent for one. The rest is rank 0's, but "
                      "status and failure: those of the first rank that failed.",
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
