#include "schema/launch.hpp"

#include "schema/optional_json.hpp"

namespace mpsbench::schema {
namespace {

using nlohmann::ordered_json;

ordered_json to_json(const SetupSeconds& setup) {
  return {{"load", setup.load}, {"device", setup.device}, {"model", setup.model}, {"data", setup.data}};
}

ordered_json to_json(const SelfTest& test) {
  return {{"operations", test.operations},
          {"window_seconds", test.window_seconds},
          {"longer_operations", test.longer_operations},
          {"longer_window_seconds", test.longer_window_seconds},
          {"residual_seconds", test.residual_seconds},
          {"passed", test.passed}};
}

ordered_json to_json(const EventCheck& check) {
  return {{"clock_step_seconds", check.clock_step_seconds},
          {"event_step_seconds", check.event_step_seconds},
          {"agrees", check.agrees}};
}

ordered_json to_json(const InputTimes& times) {
  return {{"resident_step_seconds", times.resident_step_seconds}, {"feed_seconds", times.feed_seconds}};
}

template <typename T>
ordered_json object_or_null(const std::optional<T>& value) {
  return value ? to_json(*value) : ordered_json(nullptr);
}

ordered_json losses_to_json(const std::vector<std::optional<double>>& losses) {
  ordered_json values = ordered_json::array();
  for (const auto& loss : losses) values.push_back(or_null(loss));
  return values;
}

ordered_json epochs_to_json(const std::vector<EpochRecord>& epochs) {
  ordered_json values = ordered_json::array();
  for (const EpochRecord& epoch : epochs) {
    values.push_back({{"seconds", epoch.seconds}, {"steps", epoch.steps}, {"rows", epoch.rows}});
  }
  return values;
}

ordered_json evaluations_to_json(const std::vector<Evaluation>& evaluations) {
  ordered_json values = ordered_json::array();
  for (const Evaluation& one : evaluations) {
    values.push_back({{"part", one.part},
                      {"rows", one.rows},
                      {"correct", one.correct},
                      {"seconds", one.seconds},
                      {"epoch", one.epoch},
                      {"steps", or_null(one.steps)}});
  }
  return values;
}

ordered_json live_bytes_to_json(const std::vector<LiveBytes>& readings) {
  ordered_json array = ordered_json::array();
  for (const LiveBytes& one : readings) array.push_back({{"step", one.step}, {"bytes", one.bytes}});
  return array;
}

LiveBytes read_live_bytes(base::Reader reader) {
  const LiveBytes one{read_count(reader.at("step")), read_count(reader.at("bytes"))};
  reader.done();
  return one;
}

ordered_json sensors_to_json(const std::vector<SensorRecord>& sensors) {
  ordered_json values = ordered_json::array();
  for (const SensorRecord& sensor : sensors) values.push_back(to_json(sensor));
  return values;
}

double read_seconds(const base::Reader& reader) {
  return reader.number(0, kMostSeconds);
}

std::optional<double> seconds_or_null(const base::Reader& reader) {
  return reader.is_null() ? std::nullopt : std::optional(read_seconds(reader));
}

// More than any launch takes; what is worked out of them may take the square of their number.
constexpr std::size_t kMostSamples = 10'000;

std::vector<double> read_samples(const base::Reader& reader) {
  std::vector<double> samples = reader.numbers();
  if (samples.size() > kMostSamples) {
    throw reader.error("has " + std::to_string(samples.size()) + " samples, more than the " +
                       std::to_string(kMostSamples) + " that a launch can have");
  }
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (samples[i] < 0 || samples[i] > kMostSeconds)
      (void)read_seconds(reader.item(i));  // says what is wrong
  }
  return samples;
}

SetupSeconds read_setup(base::Reader reader) {
  SetupSeconds setup;
  setup.load = read_seconds(reader.at("load"));
  setup.device = read_seconds(reader.at("device"));
  setup.model = read_seconds(reader.at("model"));
  setup.data = read_seconds(reader.at("data"));
  reader.done();
  return setup;
}

SelfTest read_self_test(base::Reader reader) {
  SelfTest test;
  test.operations = read_count(reader.at("operations"));
  test.window_seconds = read_seconds(reader.at("window_seconds"));
  test.longer_operations = read_count(reader.at("longer_operations"));
  test.longer_window_seconds = read_seconds(reader.at("longer_window_seconds"));
  test.residual_seconds = read_seconds(reader.at("residual_seconds"));
  test.passed = reader.at("passed").boolean();
  reader.done();
  return test;
}

EventCheck read_event_check(base::Reader reader) {
  EventCheck check;
  check.clock_step_seconds = read_seconds(reader.at("clock_step_seconds"));
  check.event_step_seconds = reader.at("event_step_seconds").number();  // a broken clock may run backwards
  check.agrees = reader.at("agrees").boolean();
  reader.done();
  return check;
}

InputTimes read_input_times(base::Reader reader) {
  InputTimes times;
  times.resident_step_seconds = read_seconds(reader.at("resident_step_seconds"));
  times.feed_seconds = read_seconds(reader.at("feed_seconds"));
  reader.done();
  return times;
}

EpochRecord read_epoch(base::Reader reader) {
  EpochRecord epoch;
  epoch.seconds = read_seconds(reader.at("seconds"));
  epoch.steps = read_count(reader.at("steps"));
  epoch.rows = read_count(reader.at("rows"));
  reader.done();
  return epoch;
}

Evaluation read_evaluation(base::Reader reader) {
  Evaluation one;
  one.part = reader.at("part").string();
  one.rows = read_count(reader.at("rows"));
  one.correct = read_count(reader.at("correct"));
  one.seconds = read_seconds(reader.at("seconds"));
  if (const auto epoch = reader.find("epoch")) one.epoch = read_count(*epoch);
  if (const auto steps = reader.find("steps")) one.steps = count_or_null(*steps);
  reader.done();
  return one;
}

}  // namespace

ordered_json to_json(const Launch& launch) {
  ordered_json document{{"status", to_string(launch.status)},
                        {"failure", object_or_null(launch.failure)},
                        {"index", launch.index},
                        {"order", launch.order},
                        {"started_at", launch.started_at},
                        {"wall_seconds", launch.wall_seconds},
                        {"samples_seconds", launch.samples_seconds},
                        {"steps_per_sample", launch.steps_per_sample},
                        {"latency_samples_seconds", launch.latency_samples_seconds},
                        {"event_samples_seconds", launch.event_samples_seconds},
                        {"event_steps_per_sample", launch.event_steps_per_sample},
                        {"warmup_samples_seconds", launch.warmup_samples_seconds},
                        {"first_step_seconds", or_null(launch.first_step_seconds)},
                        {"setup_seconds", object_or_null(launch.setup_seconds)},
                        {"stopped_by", launch.stopped_by},
                        {"unmet", launch.unmet},
                        {"losses", losses_to_json(launch.losses)},
                        {"epochs", epochs_to_json(launch.epochs)},
                        {"evaluations", evaluations_to_json(launch.evaluations)},
                        {"loop_seconds", or_null(launch.loop_seconds)},
                        {"peak_resident_bytes", or_null(launch.peak_resident_bytes)},
                        {"peak_device_bytes", or_null(launch.peak_device_bytes)},
                        {"peak_reserved_bytes", or_null(launch.peak_reserved_bytes)},
                        {"live_bytes", live_bytes_to_json(launch.live_bytes)},
                        {"enqueue_seconds", or_null(launch.enqueue_seconds)},
                        {"input_times", object_or_null(launch.input_times)},
                        {"self_test", object_or_null(launch.self_test)},
                        {"event_check", object_or_null(launch.event_check)},
                        {"backend", launch.backend},
                        {"sensors", sensors_to_json(launch.sensors)},
                        {"sensor_notes", launch.sensor_notes}};
  add_ranks(launch.ranks, document);
  return document;
}

Launch read_launch(base::Reader reader) {
  Launch launch;
  launch.status = read_name<Status>(reader.at("status"));
  if (const auto failure = reader.find("failure")) launch.failure = read_failure(*failure);
  launch.index = read_count(reader.at("index"));
  launch.order = read_count(reader.at("order"));
  launch.started_at = reader.at("started_at").string();
  launch.wall_seconds = read_seconds(reader.at("wall_seconds"));
  launch.samples_seconds = read_samples(reader.at("samples_seconds"));
  launch.steps_per_sample = read_count(reader.at("steps_per_sample"));
  launch.latency_samples_seconds = read_samples(reader.at("latency_samples_seconds"));
  launch.event_samples_seconds = read_samples(reader.at("event_samples_seconds"));
  if (const auto steps = reader.find("event_steps_per_sample"))
    launch.event_steps_per_sample = read_count(*steps);
  launch.warmup_samples_seconds = read_samples(reader.at("warmup_samples_seconds"));
  launch.first_step_seconds = seconds_or_null(reader.at("first_step_seconds"));
  if (const auto setup = reader.find("setup_seconds")) launch.setup_seconds = read_setup(*setup);
  launch.stopped_by = reader.at("stopped_by").string();
  launch.unmet = reader.at("unmet").strings();
  for (const base::Reader& loss : reader.at("losses").items()) launch.losses.push_back(number_or_null(loss));
  for (const base::Reader& epoch : reader.at("epochs").items()) launch.epochs.push_back(read_epoch(epoch));
  if (const auto evaluations = reader.find("evaluations")) {
    for (const base::Reader& one : evaluations->items()) launch.evaluations.push_back(read_evaluation(one));
  }
  if (const auto loop = reader.find("loop_seconds")) launch.loop_seconds = seconds_or_null(*loop);
  launch.peak_resident_bytes = count_or_null(reader.at("peak_resident_bytes"));
  launch.peak_device_bytes = count_or_null(reader.at("peak_device_bytes"));
  launch.peak_reserved_bytes = count_or_null(reader.at("peak_reserved_bytes"));
  if (const auto live = reader.find("live_bytes")) {
    for (const base::Reader& one : live->items()) launch.live_bytes.push_back(read_live_bytes(one));
  }
  launch.enqueue_seconds = seconds_or_null(reader.at("enqueue_seconds"));
  if (const auto times = reader.find("input_times")) launch.input_times = read_input_times(*times);
  if (const auto test = reader.find("self_test")) launch.self_test = read_self_test(*test);
  if (const auto check = reader.find("event_check")) launch.event_check = read_event_check(*check);
  launch.backend = read_texts(reader.at("backend"));
  for (const base::Reader& sensor : reader.at("sensors").items())
    launch.sensors.push_back(read_sensor_record(sensor));
  if (const auto notes = reader.find("sensor_notes")) launch.sensor_notes = read_texts(*notes);
  launch.ranks = read_ranks(reader);
  reader.done();
  return launch;
}

}  // namespace mpsbench::schema
