#include "suite/case_id.hpp"

#include "base/units.hpp"
#include "schema/case_id.hpp"
#include "suite/dataset_choice.hpp"
#include "suite/optimizer_text.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <optional>

namespace mpsbench::suite {
namespace {

using Changed = std::map<std::string, std::string>;

// Adds CHOICE, a value of a closed set, unless it is null or INITIAL.
template <typename Choice>
void add_choice(Changed& changed, const char* key, std::optional<Choice> choice, Choice initial) {
  if (const Choice value = choice.value_or(initial); value != initial) changed[key] = to_string(value);
}

void add_rank_options(Changed& changed, const schema::CaseSpec& spec) {
  if (spec.ranks != 1)
    changed[spec.device.kind == schema::DeviceKind::cuda ? "gpus" : "ranks"] = std::to_string(spec.ranks);
  add_choice<schema::Scaling>(changed, "scaling", spec.scaling, schema::Scaling::weak);
  if (spec.bucket_bytes) changed["bucket-size"] = base::byte_size_text(*spec.bucket_bytes);
}

void add_data_options(Changed& changed, const schema::CaseSpec& spec, const model::Definition& definition,
                      bool files) {
  add_choice<schema::Input>(changed, "input", spec.input,
                            files ? schema::Input::host : schema::Input::device);
  add_choice<schema::LastBatch>(changed, "last-batch", spec.last_batch, schema::LastBatch::drop);
  add_choice(changed, "pad", spec.pad, schema::Pad::max);
  add_choice<schema::Shuffle>(changed, "shuffle", spec.shuffle, schema::Shuffle::on);
  add_choice(changed, "tokenize", spec.tokenize, schema::Tokenize::once);
  add_choice(changed, "trec-labels", spec.trec_labels, schema::kDefaultTrecLabels);
  if (spec.max_batches) changed["max-batches"] = std::to_string(*spec.max_batches);
  if (spec.max_length != definition.tokens)
    changed["max-length"] = std::to_string(spec.max_length.value_or(0));
  if (spec.rows != (files ? 0 : definition.rows)) changed["rows"] = std::to_string(spec.rows);
  const std::int64_t workers = spec.workers.value_or(kDefaultWorkers);
  if (workers != kDefaultWorkers) changed["workers"] = std::to_string(workers);
}

}  // namespace

std::string case_id(const schema::CaseSpec& spec, const model::Definition& definition,
                    std::int64_t default_threads, std::optional<SearchedBatch> searched) {
  Changed changed;
  const bool files = spec.dataset != schema::Dataset::synthetic;
  const auto classes = files && definition.classes ? row_of(spec.dataset).classes : definition.classes;
  if (spec.affinity) changed["affinity"] = *spec.affinity;
  if (schema::as_published(spec.loop)) changed["as-published"] = "true";
  if (spec.channels_last) changed["channels-last"] = "true";
  add_choice(changed, "compile-mode", spec.compile_mode, schema::CompileMode::usual);
  if (spec.classes != classes) changed["classes"] = std::to_string(spec.classes.value_or(0));
  if (spec.dropout != definition.dropout)
    changed["dropout"] = nlohmann::json(spec.dropout.value_or(0)).dump();
  if (spec.epochs) changed["epochs"] = std::to_string(*spec.epochs);
  if (spec.freeze_backbone) changed["freeze-backbone"] = "true";
  if (spec.interop_threads) changed["interop-threads"] = std::to_string(*spec.interop_threads);
  if (spec.iterations) changed["iterations"] = std::to_string(*spec.iterations);
  if (spec.loss != definition.loss) changed["loss"] = spec.loss;
  if (spec.optimizer != definition.optimizer) changed["optimizer"] = optimizer_text(spec.optimizer);
  add_rank_options(changed, spec);
  if (spec.seed != 0) changed["seed"] = std::to_string(spec.seed);
  if (spec.threads != default_threads) changed["threads"] = std::to_string(spec.threads);
  if (spec.weights) changed["weights"] = *spec.weights;
  add_data_options(changed, spec, definition, files);

  const std::string batch = searched == SearchedBatch::max    ? "max"
                            : searched == SearchedBatch::best ? "best"
                                                              : std::to_string(spec.batch_size);
  std::string id = schema::plain_case_id(spec, batch);
  for (const auto& [key, value] : changed) id += "+" + key + "=" + value;
  return id;
}

}  // namespace mpsbench::suite
