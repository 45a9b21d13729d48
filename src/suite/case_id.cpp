#include "suite/case_id.hpp"

#include "base/error.hpp"
#include "base/units.hpp"
#include "suite/option.hpp"
#include "suite/option_values.hpp"

#include <nlohmann/json.hpp>

#include <map>

namespace mpsbench::suite {

namespace {

using schema::CaseSpec;

// As in llama-bench.
constexpr std::int64_t kDefaultPrompt = 512;
constexpr std::int64_t kDefaultGenerate = 128;

// The text of FIELD in the id of SPEC, or an empty text if it is as in USUAL.
std::string changed_text(const schema::SpecField& field, const CaseSpec& spec, const CaseSpec& usual) {
  using Member = schema::SpecField::Member;
  if (schema::is_equal(field, spec, usual)) return "";
  if (field.member == Member(&CaseSpec::bucket_bytes)) return base::byte_size_text(spec.bucket_bytes.value());
  if (field.member == Member(&CaseSpec::optimizer)) return optimizer_text(spec.optimizer);
  const nlohmann::json value = schema::value_json(field, spec);
  if (value.is_string()) return value.get<std::string>();
  return value.is_null() ? "" : value.dump();
}

}  // namespace

CaseSpec default_spec(const CaseSpec& spec, const model::Definition& definition, std::int64_t threads) {
  const schema::DatasetRow& dataset = row_of(spec.dataset);
  const bool has_files = dataset.rows != schema::RowKind::drawn;
  CaseSpec usual;
  usual.model = spec.model;
  usual.mode = spec.mode;
  usual.device = spec.device;
  usual.batch_size = spec.batch_size;
  usual.ranks = spec.ranks;
  usual.precision = spec.precision;
  usual.engine = spec.engine;
  usual.dataset = spec.dataset;
  usual.input = has_files ? schema::Input::host : schema::Input::device;
  usual.classes = has_files && definition.classes ? dataset.classes : definition.classes;
  usual.dropout = definition.dropout;
  usual.max_length = definition.tokens;
  if (row_of(spec.mode).generates) {
    usual.max_length = std::nullopt;  // a sequence has its own lengths
    usual.prompt = kDefaultPrompt;
    usual.generate = kDefaultGenerate;
    usual.depth = 0;
  }
  usual.loss = definition.loss;
  usual.optimizer = definition.optimizer;
  usual.rows = has_files ? 0 : definition.rows;  // the files say how many they have
  usual.threads = threads;
  return usual;
}

std::string case_id(const CaseSpec& spec, const model::Definition& definition, std::int64_t default_threads,
                    std::optional<SearchedBatch> searched) {
  static const Settings kNoOptions;
  CaseSpec usual = default_spec(spec, definition, default_threads);
  apply_options(kNoOptions, usual);
  usual.ranks = 1;
  std::map<std::string, std::string> changed;
  for (const schema::SpecField& field : schema::kSpecFields) {
    if (*field.traits.option == '\0') continue;
    if (field.member == schema::SpecField::Member(&CaseSpec::parameters)) {
      for (const auto& [name, value] : spec.parameters) changed.emplace(name, base::number_text(value));
      continue;
    }
    if (std::string text = changed_text(field, spec, usual); !text.empty())
      changed.emplace(field.traits.option, std::move(text));
  }
  if (spec.device.row().one_a_rank) {
    if (auto ranks = changed.extract("ranks")) {
      ranks.key() = "gpus";
      changed.insert(std::move(ranks));
    }
  }
  const std::string batch = searched == SearchedBatch::max    ? "max"
                            : searched == SearchedBatch::best ? "best"
                                                              : std::to_string(spec.batch_size);
  std::string id = schema::plain_case_id(spec, batch);
  for (const auto& [key, value] : changed) id += "+" + key + "=" + value;
  return id;
}

std::regex case_filter(const std::string& pattern) {
  auto flags = std::regex::ECMAScript;
#if defined(__GLIBCXX__)
  flags |= std::regex_constants::__polynomial;
#endif
  return std::regex(pattern, flags);
}

bool passes(const std::string& id, const std::regex& filter) {
  try {
    return std::regex_search(id, filter);
  } catch (const std::regex_error&) {
    throw base::usage_error("--filter: the expression is too complex to match  " + base::excerpt(id) +
                            "; write a simpler expression");
  }
}

}  // namespace mpsbench::suite
