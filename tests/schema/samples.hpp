// One value of each struct, with every field set, including those that may be null.
#pragma once

#include "schema/network_plan.hpp"
#include "schema/report.hpp"

namespace mpsbench::tests {

inline schema::CaseSpec full_spec() {
  schema::CaseSpec spec;
  spec.model = "vgg16";
  spec.mode = schema::Mode::train;
  spec.device = "cpu";
  spec.batch_size = 32;
  spec.precision = schema::Precision::bf16;
  spec.engine = schema::Engine::eager;
  spec.dataset = schema::Dataset::synthetic;
  spec.input = schema::Input::host;
  spec.classes = 10;
  spec.dropout = 0.25;
  spec.channels_last = true;
  spec.freeze_backbone = true;
  spec.as_published = true;
  spec.loss = "cross_entropy";
  spec.optimizer = {"sgd", {{"lr", 0.1}, {"momentum", 0.9}, {"nesterov", 1}}};
  spec.rows = 50'000;
  spec.seed = 9223372036854775807;
  spec.threads = 2;
  spec.compile_mode = schema::CompileMode::max_autotune;
  spec.ranks = 2;
  spec.scaling = schema::Scaling::strong;
  spec.bucket_bytes = 1 << 20;
  spec.interop_threads = 3;
  spec.affinity = "0-2,8";
  spec.workers = 3;
  spec.max_length = 64;
  spec.pad = schema::Pad::longest;
  spec.tokenize = schema::Tokenize::batch;
  spec.trec_labels = schema::TrecLabels::v2_0_0;
  spec.last_batch = schema::LastBatch::keep;
  spec.shuffle = schema::Shuffle::off;
  spec.data_files = {{"vocab.txt", std::string(64, 'a')}};
  spec.weights = "w.safetensors";
  spec.epochs = 3;
  spec.iterations = 1000;
  spec.max_batches = 100;
  return spec;
}

inline schema::MeasureSpec full_measure() {
  schema::MeasureSpec measure;
  measure.warmup = {schema::WarmupSpec::Kind::seconds, 2.5};
  measure.min_time_seconds = 0.25;
  measure.max_time_seconds = 3;
  measure.max_noise = 0.02;
  measure.min_samples = 7;
  return measure;
}

inline schema::LibtorchInfo full_libtorch() {
  schema::LibtorchInfo info;
  info.version = "1.13.0.dev20220522+cu102";
  info.cuda = "10.2";
  info.cudnn = "8.2.0";
  info.blas = "mkl";
  info.architecture = "x86_64";
  info.size_bytes = 400'000'000;
  info.intra_op_threads = 2;
  info.inter_op_threads = 1;
  info.openmp_runtimes = {"libgomp.so.1"};
  info.worker_build_type = "Release";
  return info;
}

inline schema::Ceiling full_ceiling() {
  return {"cpu",
          2,
          "2026-11-21T10:02:03Z",
          {{schema::Precision::fp32, 1.5e11}, {schema::Precision::fp16, std::nullopt}},
          3e10,
          {{2, 2.5e11}}};
}

inline schema::HostInfo full_host() {
  schema::HostInfo host;
  host.name = "m1max-0a1b";
  host.os = {"macOS", "15.1", "24.1.0", "arm64"};
  host.cpu.model = "Apple M1 Max";
  host.cpu.physical_cores = 10;
  host.cpu.performance_cores = 8;
  host.cpu.efficiency_cores = 2;
  host.cpu.logical_cores = 10;
  host.cpu.features = {"neon", "bf16"};
  host.cpu.governor = "performance";
  host.memory_bytes = std::int64_t{64} << 30;
  host.swap_used_bytes = 0;
  host.disk_free_bytes = 1'000'000;
  host.disk_total_bytes = 2'000'000;
  host.gpu_cores = 32;
  host.load_average = 0.5;
  host.accelerators = {{"mps", "Apple M1 Max", std::int64_t{48} << 30}};
  host.interconnect = {.numa_nodes = {0, std::nullopt}, .pairs = {{0, 1, schema::GpuPath::nvlink, 18, true}}};
  host.network = {.interface = "eth0", .bits_per_second = 25e9, .infiniband = {{"mlx5_0", 1, 4e11}}};
  host.ceilings = {full_ceiling()};
  host.libtorch = full_libtorch();
  host.power.source = "ac";
  host.power.mode = "normal";
  host.environment = {{"OMP_NUM_THREADS", "2"}};
  return host;
}

inline schema::Launch full_launch() {
  schema::Launch launch;
  launch.status = schema::Status::failed;
  launch.failure = schema::Failure{"exception", "it broke", "line 1\nline 2"};
  launch.disturbed = schema::Disturbance::stopped;
  launch.index = 1;
  launch.order = 5;
  launch.started_at = "2026-11-21T10:02:03Z";
  launch.wall_seconds = 4.5;
  launch.samples_seconds = {0.1, 0.30000000000000004, 1e-9};
  launch.steps_per_sample = 4;
  launch.latency_samples_seconds = {0.5};
  launch.warmup_samples_seconds = {0.2, 0.15};
  launch.first_step_seconds = 0.9;
  launch.setup_seconds = schema::SetupSeconds{0.5, 0.01, 0.25, 0.125};
  launch.working_threads = schema::WorkingThreads{2, "0-1"};
  launch.padded_lengths = schema::PaddedLengths{9, 12, 20.5, 31};
  launch.stopped_by = "max-time";
  launch.unmet = {"max-noise"};
  launch.losses = {2.5, std::nullopt, 2.25};
  launch.epochs = {{1.5, 10, 640}};
  launch.evaluations = {{schema::DataPart::validation, 100, 97, 0.5, 2, 4}};
  launch.loop_seconds = 12.5;
  launch.compile_seconds = 84.5;
  launch.event_samples_seconds = {0.25};
  launch.event_steps_per_sample = 2;
  launch.input_times = {0.2, 0.05};
  launch.live_bytes = {{4, 1000}, {8, 1200}};
  launch.enqueue_seconds = 0.001;
  launch.self_test = schema::SelfTest{2, 0.01, 8, 0.04, 0.0001, true};
  launch.event_check = schema::EventCheck{0.25, 0.2505, true};
  launch.step_parts = schema::StepParts{0.0625, 0.125, 0.03125};
  launch.backend = {{"matmul", "ieee"}};
  launch.peak_resident_bytes = 1;
  launch.peak_device_bytes = 2;
  launch.peak_reserved_bytes = 3;
  launch.sensors = {{"other_cpu_share", "1", 0.01}, {"cpu_clock", "Hz", 3e9, 2.5e9, 3.5e9}};
  launch.sensor_notes = {{"cpu_energy", "no RAPL here"}};
  return launch;
}

inline schema::NetworkPlan full_plan() {
  schema::NetworkTensor weight;
  weight.name = "fc.weight";
  weight.role = "weight";
  weight.shape = {4, 8};
  weight.init = "uniform";
  weight.scale = 0.35355339059327373;
  weight.zero_row = 0;
  schema::NetworkTensor count{
      "bn.num_batches_tracked", "num_batches_tracked", schema::DType::int64, {}, false, "zeros", 0, {}};
  schema::NetworkNode node;
  node.name = "fc";
  node.type = "linear";
  node.options = {{"out_features", 4}, {"bias", false}, {"kernel", {3, 3}}, {"padding", nullptr}};
  node.inputs = {0};
  node.output = 1;
  node.release = {0};
  node.tensors = {weight, count};
  node.shape = {2, 4};
  node.forward_macs = 64;
  node.backward_macs = 128;
  schema::NetworkPlan plan;
  plan.model = "one-layer";
  plan.inputs = {{"input", schema::DType::float32, {2, 8}, "integers", 30522}};
  plan.nodes = {node};
  plan.slots = 2;
  plan.output = 1;
  plan.loss = "cross_entropy";
  plan.target_shape = {2};
  plan.target_dtype = schema::DType::int64;
  plan.target_high = 4;
  plan.parameters = 32;
  plan.trainable_parameters = 32;
  plan.forward_macs = 64;
  plan.backward_macs = 128;
  plan.parameter_bytes = 128;
  plan.input_bytes = 64;
  plan.activation_bytes = 32;
  return plan;
}

inline nlohmann::json full_definition() {
  return {{"name", "vgg16"}, {"layers", nlohmann::json::array()}};
}

inline schema::PlannedCase full_planned() {
  schema::PlannedCase planned;
  planned.id = "vgg16/train/cpu/b32/bf16/eager/synthetic";
  planned.definition_sha256 = schema::definition_sha256(full_definition());
  planned.spec = full_spec();
  planned.measure = full_measure();
  planned.repeats = 2;
  planned.repeated = 1;
  planned.timeout_seconds = 60;
  planned.rendezvous_timeout_seconds = 30;
  planned.cooldown_seconds = 0.5;
  planned.tied_batches = schema::TiedBatches{32, 512, 0.3};
  planned.threshold = 0.05;
  planned.gate_on = {{schema::GatedMetric::step, std::nullopt}, {schema::GatedMetric::peak_memory, 0.01}};
  planned.weights_path = "~/w.safetensors";
  planned.data_path = "~/data";
  planned.vocabulary_path = "~/data/vocab.txt";
  planned.dump_first_step_path = "~/d.safetensors";
  return planned;
}

inline schema::RunInfo full_run() {
  schema::RunInfo run;
  run.id = "0123456789ab";
  run.started_at = "2026-11-21T10:02:00Z";
  run.finished_at = "2026-11-21T10:03:00Z";
  run.status = schema::RunStatus::complete;
  run.argv = {"mpsbench", "run", "quick"};
  run.seed = 7;
  run.suite = "quick";
  run.purpose = schema::Purpose::baseline;
  run.gate =
      schema::GateInfo{schema::BaselineFile{"~/old.json", std::string(64, 'a')}, 0.02, 300, true, false, true, true};
  run.launcher = {"torchrun", 4, 2};
  run.strict = true;
  run.planned_within_seconds = 300;
  run.repeats_disturbed = true;
  run.fewer_threads = schema::FewerThreads{"a", 2, 0.5, 1, 0.25};
  run.epochs_projected = 90;
  run.percentiles = {95, 99.9};
  run.planned = {full_planned()};
  run.definitions[schema::definition_sha256(full_definition())] = full_definition();
  return run;
}

inline schema::TimeMetrics full_time() {
  return {0.1,  0.11,
          0.01, 0.09,
          0.2,  0.15,
          0.19, schema::Interval{0.099, 0.101},
          700,  {{"95", 0.16}, {"99.9", std::nullopt}}};
}

inline schema::Published full_published() {
  return {"a file",
          "https://example.org/a",
          {"older-script-variant", "coarse-resolution"},
          "The article says another figure.",
          2.5,
          {{"total_minutes", 51.44}}};
}

inline schema::CaseResult full_result() {
  schema::CaseResult result;
  result.id = full_planned().id;
  result.definition_sha256 = schema::definition_sha256(full_definition());
  result.spec = full_spec();
  result.status = schema::Status::failed;
  result.failure = schema::Failure{"exception", "it broke", ""};
  result.launches = {full_launch()};
  result.metrics.step_seconds = full_time();
  result.metrics.latency_seconds = full_time();
  result.metrics.drift_ratio = 1.25;
  result.metrics.rows_per_second = {320.0, schema::Interval{319, 321}, schema::kOfEpochs};
  result.metrics.mean_rows_per_second = 318.5;
  result.metrics.epoch_seconds = {156.2, schema::Interval{155, 157}, "measured"};
  result.metrics.projected_epochs_seconds = {14'058.0, schema::Interval{13'950, 14'130}};
  result.metrics.training_seconds = 640;
  result.metrics.test_seconds = 10;
  result.metrics.total_seconds = 650;
  result.metrics.forward_seconds = 0.0625;
  result.metrics.backward_seconds = 0.125;
  result.metrics.update_seconds = 0.03125;
  result.metrics.scaling_efficiency = {0.96, schema::Interval{0.95, 0.97}};
  result.metrics.communication_exposed_seconds = 0.004;
  result.metrics.communication_hidden_seconds = 0.012;
  result.metrics.communication_ceiling_share = 0.75;
  result.metrics.parameters = 138'357'544;
  result.metrics.trainable_parameters = 138'357'544;
  result.metrics.flops_per_step = 1'000'000'000'000;
  result.metrics.flops_per_second = 1e13;
  result.metrics.bytes_per_second = 1e11;
  result.metrics.live_bytes_per_step = 0.5;
  result.metrics.ceiling_share = 0.5;
  result.metrics.peak_device_bytes = 1;
  result.metrics.peak_reserved_bytes = 2;
  result.metrics.peak_resident_bytes = 3;
  result.metrics.data_wait_share = 0.01;
  result.metrics.training_accuracy = 0.98;
  result.metrics.validation_accuracy = 0.97;
  result.metrics.test_accuracy = 0.96;
  result.metrics.energy_joules_per_row = 0.125;
  result.metrics.energy_method = "nvml";
  result.flags = {"noisy"};
  result.notes = {{"metrics.bytes_per_second", "estimated"}};
  return result;
}

inline schema::Report full_report() {
  return {{"mpsbench", "0.1.0", "0123abc", "Release", "GNU 12.2.0", true}, full_run(), full_host(), {full_result()}};
}

}  // namespace mpsbench::tests
