#include "report/compare/launch_parts.hpp"

#include "schema/has_compared.hpp"
#include "schema/launch_part.hpp"
#include "schema/optional_json.hpp"
#include "schema/sensor.hpp"
#include "schema/working_threads_json.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

namespace mpsbench::report {
namespace {

// Whether JSON is the string WORD.
bool is_text(std::string_view json, std::string_view word) {
  return json.size() == word.size() + 2 && json.front() == '"' && json.substr(1, word.size()) == word;
}

std::vector<double> read_times(const ReportPlace& place) {
  std::vector<double> samples = place.numbers();
  for (std::size_t i = 0; i < samples.size(); ++i) {
    if (!(samples[i] >= 0 && samples[i] <= schema::kMostSeconds))
      throw place.item(i).error("expected a time from 0 to 1000000000 s");
  }
  return samples;
}

// Keeps only the sensors that comparing needs.
std::vector<schema::SensorRecord> read_sensors(const ReportPlace& place) {
  constexpr const char* kNames[] = {schema::sensor::kCpuDistance,      schema::sensor::kGpuClock,
                                    schema::sensor::kGpuClocksSetting, schema::sensor::kCpuEnergy,
                                    schema::sensor::kDramEnergy,       schema::sensor::kGpuEnergy};
  std::vector<schema::SensorRecord> records;
  std::size_t index = 0;
  place.cursor().items([&] {
    const ReportPlace item = place.item(index++);
    std::string_view name;
    std::string_view value;
    read_fields(item, {{"name", [&](const ReportPlace& at) { name = at.cursor().take(); }},
                       {"value", [&](const ReportPlace& at) { value = at.cursor().take(); }}});
    const auto* const found = std::find_if(std::begin(kNames), std::end(kNames),
                                           [&](const char* one) { return is_text(name, one); });
    if (found != std::end(kNames))
      records.push_back(schema::sensor_record(*found, item.at("value").number_of(value)));
  });
  return records;
}

GpuClock gpu_clock_of(const std::vector<schema::SensorRecord>& sensors) {
  GpuClock clock;
  clock.hertz = schema::sensor_value(sensors, schema::sensor::kGpuClock);
  if (const auto setting = schema::sensor_value(sensors, schema::sensor::kGpuClocksSetting))
    clock.is_set_by_hand = *setting > 0;
  return clock;
}

std::vector<schema::EpochRecord> read_epochs(const ReportPlace& place) {
  std::vector<schema::EpochRecord> epochs;
  place.cursor().items([&] {
    const ReportPlace item = place.item(epochs.size());
    schema::EpochRecord& epoch = epochs.emplace_back();
    read_fields(item, {{"steps", [&](const ReportPlace& at) { epoch.steps = at.count(); }},
                       {"rows", [&](const ReportPlace& at) { epoch.rows = at.count(); }}});
  });
  return epochs;
}

std::optional<schema::WorkingThreads> read_working_threads(const base::Reader& reader) {
  return schema::Json<std::optional<schema::WorkingThreads>>::read(reader, {""});
}

// How a launch ended. Few did not end well, so the text is read only then.
struct EndText {
  std::string_view status;
  std::string_view failure = "null";
  std::string_view unmet = "[]";

  void read(const ReportPlace& place, schema::Launch& launch) const {
    launch.status = place.at("status").parse_text(status, schema::read_name<schema::Status>);
    if (failure != "null") launch.failure = place.at("failure").parse_text(failure, schema::read_failure);
    launch.unmet = place.at("unmet").parse_text(unmet, [](const base::Reader& reader) {
      std::vector<std::string> names;
      for (const base::Reader& item : reader.items()) names.push_back(item.string());
      return names;
    });
  }
};

// What only a case's first launch gives. The texts are read once it is known that the launch counts.
struct SettingsText {
  std::string_view backend;
  std::string_view sensor_notes = "{}";
  std::string_view working_threads = "null";

  void read(const ReportPlace& place, schema::Launch& launch) const {
    launch.backend = place.at("backend").parse_text(backend, schema::read_texts);
    launch.sensor_notes = place.at("sensor_notes").parse_text(sensor_notes, schema::read_texts);
    launch.working_threads = place.at("working_threads").parse_text(working_threads, read_working_threads);
  }
};

// Takes the notes of sensors and returns whether one is about the comparison with a reference.
bool take_notes(const ReportPlace& at, std::string_view& notes) {
  bool has_compared = false;
  const std::string_view rest = at.cursor().rest();
  read_fields(at, {{schema::kAgreementNote,
                    [&](const ReportPlace& note) {
                      note.cursor().take();
                      has_compared = true;
                    },
                    true}});
  notes = rest.substr(0, rest.size() - at.cursor().rest().size());
  return has_compared;
}

}  // namespace

bool is_ok(std::string_view json) {
  return is_text(json, row_of(schema::Status::ok).name);
}

std::optional<LaunchParts> read_good_launch(const ReportPlace& place, bool is_first) {
  LaunchParts parts;
  schema::Launch& launch = parts.launch;
  EndText end;
  SettingsText settings;
  read_fields(
      place,
      {{"status", [&](const ReportPlace& at) { end.status = at.cursor().take(); }},
       {"failure", [&](const ReportPlace& at) { end.failure = at.cursor().take(); }, true},
       {"disturbed",
        [&](const ReportPlace& at) {
          if (const auto text = at.text_unless_null())
            launch.disturbed = at.parse_text(*text, schema::read_name<schema::Disturbance>);
        },
        true},
       {"index", [&](const ReportPlace& at) { launch.index = at.count(); }},
       {"samples_seconds", [&](const ReportPlace& at) { launch.samples_seconds = read_times(at); }},
       {"steps_per_sample", [&](const ReportPlace& at) { launch.steps_per_sample = at.count(); }},
       {"unmet", [&](const ReportPlace& at) { end.unmet = at.cursor().take(); }, true},
       {"latency_samples_seconds",
        [&](const ReportPlace& at) { launch.latency_samples_seconds = read_times(at); }},
       {"epochs", [&](const ReportPlace& at) { launch.epochs = read_epochs(at); }},
       {"loop_seconds",
        [&](const ReportPlace& at) {
          if (const auto text = at.text_unless_null()) launch.loop_seconds = at.number_of(*text);
        },
        true},
       {"peak_resident_bytes",
        [&](const ReportPlace& at) { launch.peak_resident_bytes = at.count_or_null(); }},
       {"peak_device_bytes", [&](const ReportPlace& at) { launch.peak_device_bytes = at.count_or_null(); }},
       {"agreement",
        [&](const ReportPlace& at) {
          at.cursor().take();
          parts.has_compared = true;  // absent if empty
        },
        true},
       {"working_threads", [&](const ReportPlace& at) { settings.working_threads = at.cursor().take(); },
        true},
       {"backend", [&](const ReportPlace& at) { settings.backend = at.cursor().take(); }},
       {"sensors", [&](const ReportPlace& at) { launch.sensors = read_sensors(at); }},
       {"sensor_notes",
        [&](const ReportPlace& at) {
          parts.has_compared = take_notes(at, settings.sensor_notes) || parts.has_compared;
        },
        true}},
      Others::counted);
  if (!is_ok(end.status)) {
    end.read(place, launch);
    if (!schema::counts(launch)) return std::nullopt;
  }
  if (!is_first) return parts;
  settings.read(place, launch);
  parts.gpu_clock = gpu_clock_of(launch.sensors);
  return parts;
}

}  // namespace mpsbench::report
