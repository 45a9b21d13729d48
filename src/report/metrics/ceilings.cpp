#include "report/metrics/ceilings.hpp"

#include "base/error.hpp"
#include "base/units.hpp"
#include "measure/loop_context.hpp"
#include "model/build_network_plan.hpp"
#include "model/quantization.hpp"

#include <algorithm>
#include <map>
#include <sstream>

namespace mpsbench::report {

namespace {

// Typical of networks; the figures only need to be right within a factor of a few.
constexpr double kShareOfCeiling = 0.5;
constexpr double kThreadFlopsPerSecond = 2.5e10;
constexpr double kGpuFlopsPerSecond = 1e13;
constexpr double kSecondsPerLayer = 1e-5;
constexpr double kFewestSteps = 2;   // the first step, and one that is timed
constexpr double kDividedSteps = 1;  // one whose parts are timed, if it can be divided

double counted_steps(const schema::CaseSpec& spec) {
  if (spec.iterations) return static_cast<double>(*spec.iterations);
  return static_cast<double>(spec.epochs.value()) * static_cast<double>(measure::work_amount(spec).steps_per_epoch);
}

// Splits a name such as "matmul/cpu/fp32/1024/manual_time" at "/".
std::vector<std::string> parts(const std::string& name) {
  std::vector<std::string> found;
  std::istringstream text(name);
  for (std::string part; std::getline(text, part, '/');) found.push_back(part);
  return found;
}

void raise(std::optional<double>& best, base::Reader& entry, const char* counter) {
  const double rate = entry.at(counter).number();
  if (rate <= 0) throw entry.at(counter).error("expected a rate above zero");
  best = std::max(best.value_or(0), rate);
}

// Whether ENTRY is a measurement: not a mean or median of repetitions, and not a failed operation.
bool is_measurement(base::Reader& entry) {
  const auto type = entry.find("run_type");
  const auto failed = entry.find("error_occurred");
  return (!type || type->string() == "iteration") && !(failed && failed->boolean());
}

// Of a step that reads one token of each row: the weights that it uses, and the filled part of CACHE.
double token_bytes(const schema::NetworkPlan& plan, const schema::KeyValueCache& cache, const schema::CaseSpec& spec) {
  const auto rows = static_cast<double>(spec.batch_size);
  const auto seen = static_cast<double>(cache.filled + 1);
  const schema::PrecisionRow& precision = row_of(spec.precision);
  std::map<std::string, double> weights;  // bytes that are read, by name: an embedding may be the head, too
  double positions = 0;
  double layers = 0;
  for (const schema::NetworkNode& node : plan.nodes) {
    const base::Reader options(node.options, plan.model);
    if (node.type == "scaled_dot_product_attention") {
      const double window = base::Reader(options).at("window").number();
      positions += window > 0 ? std::min(window, seen) : seen;
      ++layers;
    }
    for (const schema::NetworkTensor& tensor : node.tensors) {
      double share = 1;  // of the words of an embedding, or of the experts
      const auto outer = static_cast<double>(tensor.shape.front());
      if (node.type == "embedding") share = rows / outer;
      if (node.type == "moe") share = rows * base::Reader(options).at("top_k").number() / outer;
      const double bytes = std::min(share, 1.0) * model::stored_bytes(tensor, precision);
      weights[tensor.name] = std::max(weights[tensor.name], bytes);
    }
  }
  auto bytes = static_cast<double>(plan.input_bytes);
  for (const auto& [name, read] : weights) bytes += read;
  if (layers == 0) return bytes;
  const double position_bytes = static_cast<double>(cache.elements * row_of(schema::DType::float32).bytes);
  return bytes + position_bytes * precision.activation_share * positions / layers;
}

}  // namespace

nlohmann::json ceiling_key(const schema::HostInfo& host, const std::string& libtorch_version,
                           const schema::DeviceId& device, std::optional<std::int64_t> threads) {
  nlohmann::json key = machine_key(host, device);
  key["libtorch"] = libtorch_version;
  key["threads"] = threads ? nlohmann::json(*threads) : nlohmann::json(nullptr);
  return key;
}

std::optional<schema::Ceiling> CeilingCache::find(const nlohmann::json& key) const {
  std::optional<schema::Ceiling> ceiling;
  files_.find(key, [&](const base::Reader& reader) { ceiling = schema::from_json<schema::Ceiling>(reader); });
  return ceiling;
}

void CeilingCache::keep(const nlohmann::json& key, const schema::Ceiling& ceiling) const {
  files_.keep(key, to_json(ceiling), "these ceilings will be measured again next time");
}

schema::Ceiling read_ops_ceiling(base::Reader document, const schema::DeviceId& device) {
  schema::Ceiling ceiling;
  ceiling.device = device;
  for (base::Reader entry : document.at("benchmarks").items()) {
    const std::vector<std::string> name = parts(entry.at("name").string());
    if (name.size() < 3 || name[1] != to_string(device) || !is_measurement(entry)) continue;
    const auto precision = schema::parse_name<schema::Precision>(name[2]);
    if (name[0] == "matmul" && precision) raise(ceiling.matmul_flops_per_second[*precision], entry, "flops_per_second");
    if (name[0] == "add") raise(ceiling.bytes_per_second, entry, "bytes_per_second");
    if (name[0] != "all_reduce" || !name[2].starts_with('x')) continue;
    if (const auto devices = base::parse_whole_number(name[2].substr(1)))
      raise(ceiling.bus_bytes_per_second[*devices], entry, "bus_bytes_per_second");
  }
  return ceiling;
}

std::optional<double> flops_ceiling(const std::vector<schema::Ceiling>& ceilings, const schema::CaseSpec& spec) {
  if (!can_have_ceiling(spec)) return std::nullopt;
  for (const schema::Ceiling& ceiling : ceilings) {
    if (ceiling.device != spec.device || ceiling.threads != ceiling_threads(spec)) continue;
    const auto found = ceiling.matmul_flops_per_second.find(row_of(spec.precision).kernels);
    if (found == ceiling.matmul_flops_per_second.end()) continue;
    if (const std::optional<double> rate = found->second)
      return *rate * static_cast<double>(spec.ranks);  // each rank has a device of its own
  }
  return std::nullopt;
}

std::optional<double> bytes_ceiling(const std::vector<schema::Ceiling>& ceilings, const schema::CaseSpec& spec) {
  if (!can_have_ceiling(spec)) return std::nullopt;
  for (const schema::Ceiling& ceiling : ceilings) {
    const bool is_there = ceiling.device == spec.device && ceiling.threads == ceiling_threads(spec);
    if (const auto& rate = ceiling.bytes_per_second; is_there && rate) return *rate * static_cast<double>(spec.ranks);
  }
  return std::nullopt;
}

std::optional<double> bus_ceiling(const std::vector<schema::Ceiling>& ceilings, const schema::CaseSpec& spec) {
  for (const schema::Ceiling& ceiling : ceilings) {
    const auto found = ceiling.bus_bytes_per_second.find(spec.ranks);
    if (ceiling.device == spec.device && found != ceiling.bus_bytes_per_second.end()) return found->second;
  }
  return std::nullopt;
}

bool can_have_bus_ceiling(const schema::CaseSpec& spec) {
  return spec.device.row().one_a_rank && spec.ranks > 1 && row_of(spec.mode).trains;
}

bool can_have_ceiling(const schema::CaseSpec& spec) {
  return !spec.device.row().is_host || (!spec.affinity && spec.ranks == 1);
}

std::optional<std::int64_t> ceiling_threads(const schema::CaseSpec& spec) {
  return spec.device.row().is_host ? std::optional(spec.threads) : std::nullopt;
}

std::optional<schema::NetworkPlan> counted_plan(const schema::RunInfo& run, const std::string& definition_sha256,
                                                const schema::CaseSpec& spec) {
  const auto found = run.definitions.find(definition_sha256);
  const bool is_loop = found != run.definitions.end() && schema::is_timed_loop(found->second);
  if (is_loop || !row_of(spec.mode).has_network) return std::nullopt;
  schema::NetworkPlan plan = row_of(spec.mode).generates ? model::token_plan(run, definition_sha256, spec)
                                                         : model::case_network_plan(run, definition_sha256, spec);
  return schema::runs_model_file(plan) ? std::nullopt : std::optional(std::move(plan));
}

double least_step_bytes(const schema::NetworkPlan& plan, const schema::CaseSpec& spec) {
  if (plan.cache) return token_bytes(plan, *plan.cache, spec);
  const double read = model::weight_bytes(plan, row_of(spec.precision)) + static_cast<double>(plan.input_bytes);
  if (!row_of(spec.mode).trains) return read;
  const double trainable_share =
      plan.parameters > 0 ? static_cast<double>(plan.trainable_parameters) / static_cast<double>(plan.parameters) : 0;
  return read + trainable_share * static_cast<double>(plan.parameter_bytes) +
         2 * row_of(spec.precision).activation_share * static_cast<double>(plan.activation_bytes);
}

namespace {

// Of a pass through PLAN.
double expected_seconds(const schema::RunRecord& record, const schema::CaseSpec& spec,
                        const schema::NetworkPlan& plan) {
  const std::int64_t cores = record.host.cpu.physical_cores.value_or(spec.threads);
  const double assumed = spec.device.row().is_host
                             ? kThreadFlopsPerSecond * static_cast<double>(std::min(spec.threads, cores))
                             : kGpuFlopsPerSecond;
  const std::optional<double> ceiling = flops_ceiling(record.host.ceilings, spec);
  const double rate = ceiling ? kShareOfCeiling * *ceiling : assumed;
  return static_cast<double>(schema::flops_per_step(plan, spec.mode)) / rate +
         static_cast<double>(plan.nodes.size()) * kSecondsPerLayer * (row_of(spec.mode).trains ? 3 : 1);
}

}  // namespace

std::optional<double> expected_step_seconds(const schema::RunRecord& record, const schema::PlannedCase& planned) {
  const auto plan = counted_plan(record.run, planned.definition_sha256, planned.spec);
  return plan ? std::optional(expected_seconds(record, planned.spec, *plan)) : std::nullopt;
}

ExpectedTime expected_time(const schema::RunRecord& record, const schema::PlannedCase& planned) {
  const double limit = measuring_limit_seconds(planned);
  const std::optional<double> step = expected_step_seconds(record, planned);
  if (!step) return {limit, false};
  if (row_of(planned.spec.mode).generates) {
    const schema::NetworkPlan prompt = model::case_network_plan(record.run, planned.definition_sha256, planned.spec);
    const double sequence =
        expected_seconds(record, planned.spec, prompt) + *step * static_cast<double>(planned.spec.generate.value() - 1);
    const double fewest = static_cast<double>(schema::kLeastSequences + 1) * sequence;
    return fewest > limit ? ExpectedTime{fewest, true} : ExpectedTime{limit, false};
  }
  if (planned.spec.epochs || planned.spec.iterations) return {counted_steps(planned.spec) * *step, true};
  const bool divides = row_of(planned.spec.mode).trains && !row_of(planned.spec.engine).captured;
  const double fewest = (kFewestSteps + (divides ? kDividedSteps : 0)) * *step;
  return fewest > limit ? ExpectedTime{fewest, true} : ExpectedTime{limit, false};
}

}  // namespace mpsbench::report
