// Makes cases, launches and runs for the tests of report/ and output/.
#pragma once

#include "schema/report.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace mpsbench::tests {

// Returns VALUE after CHANGE.
template <typename T, typename Change>
[[nodiscard]] T with(T value, Change change) {
  change(value);
  return value;
}

inline schema::CaseSpec sample_spec(const std::string& model, schema::Mode mode, std::int64_t batch_size) {
  schema::CaseSpec spec;
  spec.model = model;
  spec.mode = mode;
  spec.device = "cpu";
  spec.batch_size = batch_size;
  spec.precision = schema::Precision::fp32;
  spec.engine = schema::Engine::eager;
  spec.dataset = schema::Dataset::synthetic;
  spec.classes = 4;
  spec.loss = "cross_entropy";
  spec.optimizer = {"sgd", {{"lr", 0.001}, {"momentum", 0.9}}};
  spec.rows = 50'000;
  spec.seed = 7;
  spec.threads = 2;
  return spec;
}

// Returns a good launch on the CPU, with one step per sample.
inline schema::Launch good_launch(std::vector<double> samples, std::int64_t index = 0) {
  schema::Launch launch;
  launch.index = index;
  launch.order = index;
  launch.started_at = "2026-11-21T10:02:03Z";
  launch.wall_seconds = 4;
  launch.samples_seconds = std::move(samples);
  launch.steps_per_sample = 1;
  launch.warmup_samples_seconds = {0.012};
  launch.first_step_seconds = 0.03;
  launch.setup_seconds = schema::SetupSeconds{0.5, 0, 0.25, 0.25};
  launch.stopped_by = "max-noise";
  launch.losses = {2.3, 2.2};
  launch.peak_resident_bytes = 400'000'000 + index;
  launch.sensors = {{"other_cpu_share", "1", 0.01}};
  return launch;
}

inline schema::Launch bad_launch(schema::Status status, const std::string& message, std::int64_t index = 0) {
  schema::Launch launch;
  launch.status = status;
  launch.failure = schema::Failure{to_string(status), message, ""};
  launch.index = index;
  launch.order = index;
  launch.started_at = "2026-11-21T10:02:03Z";
  launch.wall_seconds = 1;
  return launch;
}

// Returns COUNT samples within 1 % of CENTRE, without a trend. If COUNT is odd, CENTRE is their median.
inline std::vector<double> steady_samples(double centre, std::size_t count) {
  std::vector<double> samples(count, centre);
  for (std::size_t i = 1; i < count; ++i) samples[i] = centre * (i % 2 == 0 ? 1.005 : 0.995);
  return samples;
}

// Returns a network with 8 x 4 + 4 weights and inputs of SHAPE.
inline nlohmann::json sample_definition(const nlohmann::json& shape = {8}) {
  nlohmann::json layers = {{{"type", "linear"}, {"name", "fc"}, {"out_features", "$classes"}}};
  if (shape.size() > 1) layers.insert(layers.begin(), nlohmann::json{{"type", "flatten"}, {"name", "flat"}});
  return {{"name", "mlp"},
          {"parameters", {{"classes", 4}}},
          {"inputs", {{{"name", "input"}, {"dtype", "float32"}, {"shape", shape}}}},
          {"layers", layers},
          {"loss", "cross_entropy"},
          {"optimizer", {{"name", "sgd"}, {"lr", 0.001}}},
          {"batch_size", 64},
          {"rows", 50000}};
}

// A run of cases of that network, without launches.
inline schema::RunRecord sample_run(const std::vector<schema::CaseSpec>& specs, std::int64_t repeats) {
  const nlohmann::json definition = sample_definition();
  const std::string sha256 = schema::definition_sha256(definition);
  schema::RunRecord record;
  record.tool = {"mpsbench", "0.1.0", std::nullopt, "Release", "GNU 12.2.0"};
  record.run.id = "0123456789abcdef";
  record.run.started_at = "2026-11-21T10:02:00Z";
  record.run.finished_at = "2026-11-21T10:03:00Z";
  record.run.argv = {"mpsbench", "run", "--log-file=/home/alice/log.txt"};
  record.run.suite = "adhoc";
  record.run.definitions[sha256] = definition;
  for (const schema::CaseSpec& spec : specs) {
    schema::PlannedCase planned;
    planned.id =
        spec.model + "/" + to_string(spec.mode) + "/cpu/b" + std::to_string(spec.batch_size) + "/fp32/eager/synthetic";
    planned.definition_sha256 = sha256;
    planned.spec = spec;
    planned.measure.max_time_seconds = 3;
    planned.repeats = repeats;
    record.run.planned.push_back(planned);
  }
  record.host.name = "epyc-0a1b";
  record.host.os = {"Debian GNU/Linux", "12", "6.1.0", "x86_64"};
  record.host.cpu.model = "AMD EPYC";
  record.host.cpu.physical_cores = 2;
  record.host.cpu.logical_cores = 2;
  record.host.memory_bytes = std::int64_t{8} << 30;
  record.host.power.source = "ac";
  schema::LibtorchInfo libtorch;
  libtorch.version = "2.13.0+cpu";
  libtorch.architecture = "x86_64";
  libtorch.worker_build_type = "Release";
  record.host.libtorch = libtorch;
  return record;
}

}  // namespace mpsbench::tests
