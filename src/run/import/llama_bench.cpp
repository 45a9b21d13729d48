#include "run/import/llama_bench.hpp"

#include "base/error.hpp"
#include "base/hex.hpp"
#include "base/log.hpp"
#include "base/units.hpp"
#include "model/definition.hpp"
#include "report/metrics/flags.hpp"
#include "run/import/llama_bench_rows.hpp"
#include "stats/interval.hpp"
#include "stats/summary.hpp"
#include "suite/case_id.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <map>
#include <utility>
#include <vector>

namespace mpsbench::run {
namespace {

using schema::Precision;
using Row = LlamaBenchRow;

// What changes the speed, and so stands below a comparison.
constexpr std::string_view kTold[] = {"model_filename", "model_type", "backends", "n_gpu_layers", "n_threads",
                                      "n_batch",        "n_ubatch",   "type_k",   "type_v",       "flash_attn"};

// The rows of one case; one of them may be missing.
struct RowPair {
  const Row& any;
  const Row* continuing;
  const Row* reading;
};

std::vector<RowPair> pairs_of(const std::vector<Row>& rows) {
  std::vector<RowPair> pairs;
  std::vector<const Row*> paired;
  for (const Row& row : rows) {
    if (!row.continues()) continue;
    const auto count = pairs.size();
    for (const Row& other : rows) {
      if (!other.reads() || other.settings != row.settings || other.prompt + other.depth != row.depth) continue;
      pairs.push_back({row, &row, &other});
      paired.push_back(&other);
    }
    if (pairs.size() == count) pairs.push_back({row, &row, nullptr});
  }
  for (const Row& row : rows) {
    if (row.reads() && std::ranges::find(paired, &row) == paired.end()) pairs.push_back({row, nullptr, &row});
  }
  return pairs;
}

// The precision in which all weights are stored, if there is one: model_type ends with "F16" or "all F32".
std::optional<Precision> stored_precision(const std::string& model_type) {
  const std::string type = model_type.substr(model_type.rfind(' ') + 1);
  if (type == "F32") return Precision::fp32;
  if (type == "F16") return Precision::pure_fp16;
  if (type == "BF16") return Precision::pure_bf16;
  return std::nullopt;
}

// The precision that is next to the type of the weights, of which 8 and 4 bits have other groups and scales.
Precision nearest_precision(const std::string& model_type) {
  const std::string type = model_type.substr(model_type.rfind(' ') + 1);
  if (type.starts_with("Q8")) return Precision::int8;
  if (type.starts_with("Q4") || type.starts_with("IQ4")) return Precision::int4;
  return stored_precision(model_type).value_or(Precision::pure_bf16);
}

// What is known of the network.
model::Definition description_of(const Row& row, const std::string& file, const std::string& model) {
  model::Definition description;
  description.name = model.empty() ? std::filesystem::path(row.text("model_filename")).stem().string() : model;
  if (!model::is_model_name(description.name))
    throw base::usage_error(file + ": the model's name must be 1 to 100 letters, digits, _, - and ., found " +
                            base::excerpt(description.name) + "; give one with --model");
  description.loss = "none";
  description.optimizer.name = "none";
  description.rows = 1;
  description.document = {{"name", description.name}, {"llama-bench", row.settings}};
  description.sha256 = schema::definition_sha256(description.document);
  return description;
}

schema::PlannedCase planned_case(const RowPair& pair, const model::Definition& network, Precision precision) {
  const Row& row = pair.any;
  schema::CaseSpec spec;
  spec.model = network.name;
  spec.mode = schema::Mode::generate;
  spec.device = row.device;
  spec.batch_size = 1;
  spec.precision = precision;
  spec = suite::default_spec(spec, network, row.threads);
  if (pair.reading != nullptr) {
    spec.prompt = pair.reading->prompt;
    spec.depth = pair.reading->depth;
  } else {
    spec.prompt = std::max<std::int64_t>(row.depth, 1);
  }
  if (pair.continuing != nullptr) spec.generate = row.generate;
  schema::PlannedCase planned;
  planned.id = suite::case_id(spec, network, row.device.row().is_host ? 0 : row.threads);
  planned.definition_sha256 = network.sha256;
  planned.spec = std::move(spec);
  planned.repeats = 0;
  return planned;
}

schema::TimeMetrics time_of(const std::vector<double>& samples) {
  const double mean = stats::mean_of(samples);
  schema::TimeMetrics time;
  time.median = stats::median(samples);
  time.mean = mean;
  time.stddev = stats::stddev(samples);
  time.min = stats::minimum(samples);
  time.max = stats::maximum(samples);
  time.count = std::ssize(samples);
  const auto half = stats::mean_half_width(samples);
  if (half && *half < mean) time.ci95 = schema::Interval{mean - *half, mean + *half};
  return time;
}

schema::ValueMetric rate_of(const schema::TimeMetrics& time, double tokens) {
  schema::ValueMetric rate{tokens / time.mean.value(), std::nullopt};
  if (time.ci95) rate.ci95 = schema::Interval{tokens / time.ci95->high, tokens / time.ci95->low};
  return rate;
}

schema::Metrics metrics_of(const RowPair& pair) {
  schema::Metrics metrics;
  metrics.epoch_seconds.kind = schema::kEpochKinds[1];  // as in all cases without epochs
  if (pair.continuing != nullptr) {
    std::vector<double> tokens = pair.continuing->seconds;
    for (double& seconds : tokens) seconds /= static_cast<double>(pair.continuing->generate);
    metrics.step_seconds = time_of(tokens);
    metrics.tokens_per_second = rate_of(metrics.step_seconds, 1);
  }
  if (pair.reading != nullptr) {
    metrics.first_token_seconds = time_of(pair.reading->seconds);
    metrics.prefill_tokens_per_second = rate_of(metrics.first_token_seconds, static_cast<double>(pair.reading->prompt));
  }
  metrics.parameters = pair.any.parameters;
  metrics.weight_bytes = pair.any.weight_bytes;
  return metrics;
}

// Says why metrics are null.
std::map<std::string, std::string> notes_of(const schema::CaseSpec& spec, const schema::Metrics& metrics) {
  std::map<std::string, std::string> notes{{"spec", "llama-bench does not tell seed, rows, loss and optimizer"}};
  const nlohmann::ordered_json written = schema::to_json(metrics);
  for (const auto& [key, value] : written.items()) {
    const auto& main = value.is_object() ? value.at(value.contains("mean") ? "mean" : "value") : value;
    if (main.is_null()) notes["metrics." + key] = "not published: llama-bench does not measure it";
  }
  const auto note = [&](const std::string& time, const std::string& rate, const std::string& row) {
    if (notes.contains("metrics." + rate)) {
      notes["metrics." + time] = notes["metrics." + rate] = "not published: the file has no row " + row;
    } else {
      notes["metrics." + time] = "llama-bench tells no percentiles, and an interval needs five repetitions";
    }
  };
  const std::int64_t prompt = spec.prompt.value();
  const std::int64_t depth = spec.depth.value();
  note("step_seconds", "tokens_per_second", fmt::format("tg{} @ d{}", spec.generate.value(), depth + prompt));
  note("first_token_seconds", "prefill_tokens_per_second", fmt::format("pp{} @ d{}", prompt, depth));
  return notes;
}

schema::Published published_of(const RowPair& pair, Precision precision) {
  const Row& row = pair.any;
  schema::Published published;
  published.source = "llama-bench, build " + row.text("build_number") + " (" + row.text("build_commit") + ")";
  published.cautions = {"llama-bench"};
  if (stored_precision(row.text("model_type")) != precision) published.cautions.emplace_back("other-weights");
  if (pair.continuing != nullptr && row.depth == 0) published.cautions.emplace_back("empty-cache");
  std::vector<std::string> told;
  for (const std::string_view key : kTold) {
    if (const std::string text = row.text(key); !text.empty()) told.push_back(std::string(key) + " " + text);
  }
  published.remark = base::join(told);
  return published;
}

schema::CaseResult published_case(const RowPair& pair, const schema::PlannedCase& planned,
                                  const schema::HostInfo& host) {
  schema::CaseResult result;
  result.id = planned.id;
  result.definition_sha256 = planned.definition_sha256;
  result.spec = planned.spec;
  result.metrics = metrics_of(pair);
  result.notes = notes_of(result.spec, result.metrics);
  result.published = published_of(pair, result.spec.precision);
  result.flags = report::flags_of(result, 0, host);
  return result;
}

schema::HostInfo host_of(const std::vector<Row>& rows) {
  schema::HostInfo host;
  host.cpu.model = rows.front().text("cpu_info");
  host.name = host.cpu.model;
  const std::string gpu = rows.front().text("gpu_info");
  const auto on_gpu = std::ranges::find_if(rows, [](const Row& row) { return !row.device.row().is_host; });
  if (on_gpu != rows.end() && !gpu.empty()) {
    host.accelerators.push_back({on_gpu->device, gpu, std::nullopt});
    host.name = gpu;
  }
  if (host.name.empty()) host.name = "unknown";
  return host;
}

// Names a setting in which the rows differ, which an id does not tell.
base::Error twice(const std::string& file, const std::string& id, const RowPair& one, const RowPair& other) {
  const bool continue_alike = one.continuing == other.continuing && one.reading != nullptr && other.reading != nullptr;
  const Row& first = continue_alike ? *one.reading : one.any;
  const Row& second = continue_alike ? *other.reading : other.any;
  std::string difference;
  for (const auto& [key, value] : first.settings.items()) {
    if (difference.empty() && second.text(key) != first.text(key))
      difference = fmt::format(" ({} {} and {})", key, first.text(key), second.text(key));
  }
  return base::usage_error(fmt::format("{}: rows {} and {} are the same case, {}{}; keep one of them in the file", file,
                                       first.number, second.number, id, difference));
}

void warn_of_left_out(const std::vector<Row>& rows) {
  const auto count = std::ranges::count_if(rows, [](const Row& row) { return !row.reads() && !row.continues(); });
  if (count > 0)
    base::log::warn(base::counted(count, "row is", "rows are") +
                    " left out: only ppN and tgN (N from 2) have a counterpart, but not ppP+tgN, which is one rate");
}

}  // namespace

schema::Report import_llama_bench(std::string_view text, const std::string& file, const ImportedAs& as) {
  constexpr std::size_t kRunIdLength = 12;
  const std::vector<Row> rows = llama_bench_rows(text, file);
  const std::vector<RowPair> pairs = pairs_of(rows);
  if (pairs.empty()) throw base::usage_error(file + ": $: has no row ppN or tgN (N from 2); run llama-bench -p N -n N");
  schema::Report report{.tool = schema::tool_info(), .run = {}, .host = host_of(rows), .cases = {}};
  report.run.id = base::random_hex(kRunIdLength);
  report.run.started_at = std::ranges::min(rows, {}, &Row::time).time;
  report.run.status = schema::RunStatus::complete;
  report.run.suite = "llama-bench";
  std::map<std::string, RowPair> known;
  for (const RowPair& pair : pairs) {
    const Row& row = pair.any;
    const model::Definition network = description_of(row, file, as.model);
    const Precision precision = as.precision.value_or(nearest_precision(row.text("model_type")));
    schema::PlannedCase planned = planned_case(pair, network, precision);
    const auto [first, is_new] = known.emplace(planned.id, pair);
    if (!is_new) throw twice(file, planned.id, first->second, pair);
    report.cases.push_back(published_case(pair, planned, report.host));
    report.run.definitions[network.sha256] = network.document;
    report.run.planned.push_back(std::move(planned));
  }
  warn_of_left_out(rows);
  return report;
}

}  // namespace mpsbench::run
