#include "fake_worker/planted.hpp"

#include "schema/host.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <utility>
#include <vector>

namespace mpsbench::fake_worker {
namespace {

constexpr double kExposedShare = 0.1;  // of a step in which a rank waits for gradients

// Numbers spread evenly over -1 ... 1, without a trend: the fractions of multiples of the golden ratio.
double wobble(std::int64_t i) {
  const double turns = static_cast<double>(i + 1) * 0.6180339887498949;
  return 2 * (turns - static_cast<double>(static_cast<std::int64_t>(turns))) - 1;
}

}  // namespace

schema::WorkingThreads planted_threads(const nlohmann::json& threads) {
  return {threads.at("count").get<std::int64_t>(), threads.at("cpus").get<std::string>()};
}

schema::LibtorchInfo planted_libtorch() {
  schema::LibtorchInfo info;
  info.version = "2.13.0+fake";
  info.blas = "none";
  info.architecture = "x86_64";
  info.intra_op_threads = 2;
  info.inter_op_threads = 2;
  info.worker_build_type = "Release";
  return info;
}

schema::ProbeEvent planted_probe(std::int64_t gpus) {
  schema::DeviceStatus cpu{.device = "cpu", .name = "fake processor", .built_in = true, .usable = true};
  cpu.unified_memory = true;
  for (const auto& row : schema::ClosedSet<schema::Precision>::kRows) cpu.precisions.push_back({row.value, ""});
  cpu.precisions.at(static_cast<std::size_t>(schema::Precision::tf32)).reason =
      "only NVIDIA's GPUs compute in tf32; use --precision fp32 on cpu";
  cpu.engines = {
      {schema::Engine::eager, ""},
      {schema::Engine::graph, "--engine graph replays CUDA graphs, which cpu does not have; use --engine eager"}};
  schema::ToolInfo tool = schema::tool_info();
  tool.compiler = "a fake worker's";
  std::vector<schema::DeviceStatus> devices{cpu};
  for (std::int64_t index = 0; index < gpus; ++index) {
    devices.push_back({.device = schema::DeviceId(schema::DeviceKind::cuda, index),
                       .name = "fake GPU",
                       .built_in = true,
                       .usable = true});
  }
  if (gpus == 0)
    devices.push_back({.device = "cuda", .name = "fake GPU", .reason = "CUDA device not found: use --device cpu"});
  devices.push_back({.device = "mps", .name = "fake GPU", .reason = "MPS device not found: use --device cpu"});
  return {std::move(devices), tool};
}

schema::Launch planted_launch(const schema::CaseSpec& spec, const nlohmann::json& options) {
  const double a_row = spec.mode == schema::Mode::train ? 1e-3 : 0.4e-3;
  const double step = options.value("step_seconds", a_row * static_cast<double>(spec.batch_size));
  const std::int64_t samples = options.value("samples", std::int64_t{64});
  const double spread = options.value("spread", 0.01);
  const double drift = options.value("drift", 0.0);
  const double slow_share = options.value("slow_share", 0.0);

  schema::Launch launch;
  for (std::int64_t i = 0; i < samples; ++i) {
    const double place = static_cast<double>(i) / static_cast<double>(samples);
    const double level = place >= 1 - slow_share ? 2 : 1;
    launch.samples_seconds.push_back(step * level * (1 + spread * wobble(i)) * (1 + drift * place));
    if (i < 20) launch.losses.emplace_back(2.0 / static_cast<double>(i + 1));
  }
  if (spec.ranks > 1 && spec.mode == schema::Mode::train) {
    const double computing = step * (1 - kExposedShare);
    launch.communication = schema::Communication{computing, 2 * kExposedShare * step, 4000, 1};
    launch.ranks.emplace_back();
    launch.ranks.back().samples_seconds = launch.samples_seconds;
    launch.ranks.back().compute_step_seconds = computing;
  }
  launch.steps_per_sample = 1;
  launch.warmup_samples_seconds = {step * 1.5, step * 1.1};
  launch.first_step_seconds = step * 3;
  launch.setup_seconds = schema::SetupSeconds{0.1, 0.01, 0.02, 0.03};
  launch.stopped_by = "max-noise";
  if (options.contains("working_threads")) launch.working_threads = planted_threads(options.at("working_threads"));
  launch.peak_resident_bytes = 200'000'000 + 1'000'000 * spec.batch_size;
  return launch;
}

}  // namespace mpsbench::fake_worker
