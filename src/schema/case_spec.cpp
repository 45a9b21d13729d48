#include "schema/case_spec.hpp"

#include "base/cpu_list.hpp"
#include "schema/optional_json.hpp"

#include <nlohmann/json.hpp>

namespace mpsbench::schema {
namespace {

std::optional<std::int64_t> read_optional_count(base::Reader& reader, const char* key) {
  const auto found = reader.find(key);
  return found ? std::optional(found->integer(1)) : std::nullopt;
}

std::string read_affinity(const base::Reader& reader) {
  std::string text = reader.string();
  if (!base::parse_cpu_list(text)) throw reader.error("expected CPUs such as \"0-3,8\"");
  return text;
}

}  // namespace

std::int64_t rows_per_step(const CaseSpec& spec) {
  return spec.batch_size * spec.ranks;
}

std::int64_t steps_per_epoch(const CaseSpec& spec) {
  if (spec.batch_size <= 0) return 0;
  const std::int64_t rows = rows_per_step(spec);
  const bool with_rest = spec.mode == Mode::infer || spec.last_batch == LastBatch::keep;
  return with_rest && spec.rows % rows != 0 ? spec.rows / rows + 1 : spec.rows / rows;
}

nlohmann::ordered_json to_json(const OptimizerSpec& optimizer) {
  nlohmann::ordered_json value = {{"name", optimizer.name}};
  for (const auto& [key, setting] : optimizer.settings) value[key] = setting;
  return value;
}

OptimizerSpec read_optimizer_spec(base::Reader reader) {
  OptimizerSpec optimizer;
  optimizer.name = reader.at("name").string();
  for (const std::string& key : reader.keys()) {
    if (key != "name") optimizer.settings[key] = reader.at(key).number();
  }
  return optimizer;
}

nlohmann::ordered_json to_json(const CaseSpec& spec) {
  return {{"model", spec.model},
          {"mode", to_string(spec.mode)},
          {"device", to_string(spec.device)},
          {"batch_size", spec.batch_size},
          {"ranks", spec.ranks},
          {"scaling", to_string(spec.scaling)},
          {"bucket_bytes", or_null(spec.bucket_bytes)},
          {"precision", to_string(spec.precision)},
          {"engine", to_string(spec.engine)},
          {"compile_mode", or_null(spec.compile_mode)},
          {"dataset", to_string(spec.dataset)},
          {"input", to_string(spec.input)},
          {"classes", or_null(spec.classes)},
          {"dropout", or_null(spec.dropout)},
          {"channels_last", spec.channels_last},
          {"freeze_backbone", spec.freeze_backbone},
          {"as_published", as_published(spec.loop)},
          {"loss", spec.loss},
          {"optimizer", to_json(spec.optimizer)},
          {"rows", spec.rows},
          {"seed", spec.seed},
          {"threads", spec.threads},
          {"interop_threads", or_null(spec.interop_threads)},
          {"affinity", or_null(spec.affinity)},
          {"workers", or_null(spec.workers)},
          {"max_length", or_null(spec.max_length)},
          {"pad", or_null(spec.pad)},
          {"tokenize", or_null(spec.tokenize)},
          {"trec_labels", or_null(spec.trec_labels)},
          {"last_batch", to_string(spec.last_batch)},
          {"shuffle", to_string(spec.shuffle)},
          {"data_files", spec.data_files},
          {"weights", or_null(spec.weights)},
          {"epochs", or_null(spec.epochs)},
          {"iterations", or_null(spec.iterations)},
          {"max_batches", or_null(spec.max_batches)}};
}

CaseSpec read_case_spec(base::Reader reader) {
  CaseSpec spec;
  spec.model = reader.at("model").string();
  spec.mode = read_name<Mode>(reader.at("mode"));
  spec.device = read_device_id(reader.at("device"));
  spec.batch_size = reader.at("batch_size").integer(1);
  if (const auto ranks = reader.find("ranks")) spec.ranks = ranks->integer(1);
  if (const auto scaling = reader.find("scaling")) spec.scaling = read_name<Scaling>(*scaling);
  spec.bucket_bytes = read_optional_count(reader, "bucket_bytes");
  spec.precision = read_name<Precision>(reader.at("precision"));
  spec.engine = read_name<Engine>(reader.at("engine"));
  if (const auto mode = reader.find("compile_mode")) spec.compile_mode = read_name<CompileMode>(*mode);
  spec.dataset = read_name<Dataset>(reader.at("dataset"));
  if (const auto input = reader.find("input")) spec.input = read_name<Input>(*input);
  spec.classes = read_optional_count(reader, "classes");
  if (const auto dropout = reader.find("dropout")) spec.dropout = dropout->number(0, 1);
  spec.channels_last = reader.at("channels_last").boolean();
  if (const auto frozen = reader.find("freeze_backbone")) spec.freeze_backbone = frozen->boolean();
  if (const auto published = reader.find("as_published")) spec.loop = loop_protocol(published->boolean());
  spec.loss = reader.at("loss").string();
  spec.optimizer = read_optimizer_spec(reader.at("optimizer"));
  spec.rows = reader.at("rows").integer(1);
  spec.seed = reader.at("seed").integer(0);
  spec.threads = reader.at("threads").integer(1);
  spec.interop_threads = read_optional_count(reader, "interop_threads");
  if (const auto affinity = reader.find("affinity")) spec.affinity = read_affinity(*affinity);
  if (const auto workers = reader.find("workers")) spec.workers = workers->integer(0);
  spec.max_length = read_optional_count(reader, "max_length");
  if (const auto pad = reader.find("pad")) spec.pad = read_name<Pad>(*pad);
  if (const auto tokenize = reader.find("tokenize")) spec.tokenize = read_name<Tokenize>(*tokenize);
  if (const auto labels = reader.find("trec_labels")) spec.trec_labels = read_name<TrecLabels>(*labels);
  if (const auto last = reader.find("last_batch")) spec.last_batch = read_name<LastBatch>(*last);
  if (const auto order = reader.find("shuffle")) spec.shuffle = read_name<Shuffle>(*order);
  if (const auto files = reader.find("data_files")) spec.data_files = read_texts(*files);
  if (const auto weights = reader.find("weights")) spec.weights = weights->string();
  spec.epochs = read_optional_count(reader, "epochs");
  spec.iterations = read_optional_count(reader, "iterations");
  spec.max_batches = read_optional_count(reader, "max_batches");
  reader.done();
  return spec;
}

}  // namespace mpsbench::schema
