#include "schema/launch.hpp"

#include "schema/optional_json.hpp"

#include <array>
#include <utility>

namespace mpsbench::schema {
namespace {

using nlohmann::ordered_json;

constexpr std::array<std::pair<Status, const char*>, 8> kStatusNames{{{Status::ok, "ok"},
                                                                      {Status::oom, "oom"},
                                                                      {Status::timeout, "timeout"},
                                                                      {Status::crashed, "crashed"},
                                                                      {Status::unsupported, "unsupported"},
                                                                      {Status::failed, "failed"},
                                                                      {Status::skipped, "skipped"},
                                                                      {Status::interrupted, "interrupted"}}};

ordered_json to_json(const SetupSeconds& setup) {
  return {{"load", setup.load}, {"device", setup.device}, {"model", setup.model}, {"data", setup.data}};
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

ordered_json sensors_to_json(const std::vector<SensorRecord>& sensors) {
  ordered_json values = ordered_json::array();
  for (const SensorRecord& sensor : sensors) {
    values.push_back({{"name", sensor.name}, {"unit", sensor.unit}, {"value", sensor.value}});
  }
  return values;
}

constexpr double kMostSeconds = 1e9;

double read_seconds(const base::Reader& reader) {
  return reader.number(0, kMostSeconds);
}

std::vector<double> read_samples(const base::Reader& reader) {
  std::vector<double> samples = reader.numbers();
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

EpochRecord read_epoch(base::Reader reader) {
  EpochRecord epoch;
  epoch.seconds = read_seconds(reader.at("seconds"));
  epoch.steps = read_count(reader.at("steps"));
  epoch.rows = read_count(reader.at("rows"));
  reader.done();
  return epoch;
}

SensorRecord read_sensor(base::Reader reader) {
  SensorRecord sensor;
  sensor.name = reader.at("name").string();
  sensor.unit = reader.at("unit").string();
  sensor.value = reader.at("value").number();
  reader.done();
  return sensor;
}

}  // namespace

std::string to_string(Status status) {
  for (const auto& [value, name] : kStatusNames) {
    if (value == status) return name;
  }
  return "failed";
}

Status read_status(const base::Reader& reader) {
  const std::string text = reader.string();
  for (const auto& [value, name] : kStatusNames) {
    if (text == name) return value;
  }
  throw reader.error("unknown status \"" + text + "\"");
}

ordered_json to_json(const Failure& failure) {
  return {{"kind", failure.kind}, {"message", failure.message}, {"detail", failure.detail}};
}

Failure read_failure(base::Reader reader) {
  Failure failure;
  failure.kind = reader.at("kind").string();
  failure.message = reader.at("message").string();
  failure.detail = reader.at("detail").string();
  reader.done();
  return failure;
}

ordered_json to_json(const Launch& launch) {
  return {{"status", to_string(launch.status)},
          {"failure", launch.failure ? to_json(*launch.failure) : ordered_json(nullptr)},
          {"index", launch.index},
          {"order", launch.order},
          {"started_at", launch.started_at},
          {"wall_seconds", launch.wall_seconds},
          {"samples_seconds", launch.samples_seconds},
          {"steps_per_sample", launch.steps_per_sample},
          {"latency_samples_seconds", launch.latency_samples_seconds},
          {"warmup_samples_seconds", launch.warmup_samples_seconds},
          {"first_step_seconds", or_null(launch.first_step_seconds)},
          {"setup_seconds", launch.setup_seconds ? to_json(*launch.setup_seconds) : ordered_json(nullptr)},
          {"stopped_by", launch.stopped_by},
          {"unmet", launch.unmet},
          {"losses", losses_to_json(launch.losses)},
          {"epochs", epochs_to_json(launch.epochs)},
          {"peak_resident_bytes", or_null(launch.peak_resident_bytes)},
          {"peak_device_bytes", or_null(launch.peak_device_bytes)},
          {"peak_reserved_bytes", or_null(launch.peak_reserved_bytes)},
          {"sensors", sensors_to_json(launch.sensors)}};
}

Launch read_launch(base::Reader reader) {
  Launch launch;
  launch.status = read_status(reader.at("status"));
  if (const auto failure = reader.find("failure")) launch.failure = read_failure(*failure);
  launch.index = read_count(reader.at("index"));
  launch.order = read_count(reader.at("order"));
  launch.started_at = reader.at("started_at").string();
  launch.wall_seconds = read_seconds(reader.at("wall_seconds"));
  launch.samples_seconds = read_samples(reader.at("samples_seconds"));
  launch.steps_per_sample = read_count(reader.at("steps_per_sample"));
  launch.latency_samples_seconds = read_samples(reader.at("latency_samples_seconds"));
  launch.warmup_samples_seconds = read_samples(reader.at("warmup_samples_seconds"));
  if (const base::Reader first = reader.at("first_step_seconds"); !first.is_null())
    launch.first_step_seconds = read_seconds(first);
  if (const auto setup = reader.find("setup_seconds")) launch.setup_seconds = read_setup(*setup);
  launch.stopped_by = reader.at("stopped_by").string();
  launch.unmet = reader.at("unmet").strings();
  for (const base::Reader& loss : reader.at("losses").items()) launch.losses.push_back(number_or_null(loss));
  for (const base::Reader& epoch : reader.at("epochs").items()) launch.epochs.push_back(read_epoch(epoch));
  launch.peak_resident_bytes = count_or_null(reader.at("peak_resident_bytes"));
  launch.peak_device_bytes = count_or_null(reader.at("peak_device_bytes"));
  launch.peak_reserved_bytes = count_or_null(reader.at("peak_reserved_bytes"));
  for (const base::Reader& sensor : reader.at("sensors").items())
    launch.sensors.push_back(read_sensor(sensor));
  reader.done();
  return launch;
}

}  // namespace mpsbench::schema
