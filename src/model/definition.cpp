#include "model/definition.hpp"

#include "base/json_reader.hpp"
#include "base/utf8.hpp"
#include "model/build_network_plan.hpp"
#include "model/layer_table.hpp"
#include "model/parameters.hpp"
#include "model/training.hpp"
#include "schema/report.hpp"

#include <algorithm>
#include <utility>

namespace mpsbench::model {
namespace {

constexpr std::size_t kMaxText = 2000;

std::string read_text(base::Reader& reader, const char* key) {
  reader.ignore(key);
  if (!reader.has(key)) return "";
  const base::Reader given = reader.at(key);
  if (given.string().size() > kMaxText) throw given.error("must not be longer than 2000 characters");
  return given.string();
}

void read_parameters(base::Reader& reader, Definition& definition) {
  reader.ignore("parameters");
  if (!reader.has("parameters")) return;
  base::Reader parameters = reader.at("parameters");
  for (const std::string& key : parameters.keys()) {
    if (!is_identifier(key)) throw parameters.error("a parameter's name must be 1 to 100 letters, digits and _");
    const base::Reader value = parameters.at(key);
    if (key == "classes") {
      definition.classes = value.integer(1, kMaxSize);
    } else if (key == "dropout") {
      definition.dropout = value.number(0, 1);
    } else if (key == "tokens") {
      definition.tokens = value.integer(1, kMaxSize);
    } else {
      require_parameter_value(value);
    }
  }
}

}  // namespace

bool is_name_character(std::uint32_t code_point) {
  if (code_point >= 0x80) return !base::is_invisible(code_point);
  const char c = static_cast<char>(code_point);
  return base::is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-' || c == '.';
}

bool is_model_name(const std::string& text) {
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); ++count) {
    const base::CodePoint next = base::first_code_point(std::string_view(text).substr(at));
    if (!next.valid || !is_name_character(next.value)) return false;
    at += next.bytes;
  }
  return count > 0 && count <= kMostNameCharacters;
}

Definition read_definition(nlohmann::json document, const std::string& file) {
  base::Reader reader(document, file);
  const bool is_other = reader.is_object() && !reader.has("layers");
  if (is_other && reader.has("matrices"))
    throw reader.error("this is a suite, not a model; run it with mpsbench run " + file);
  if (is_other && reader.has("schema_version"))
    throw reader.error("this is a report, not a model; to continue its run, use --resume");
  Definition definition;
  definition.file = file;
  const base::Reader name = reader.at("name");
  definition.name = name.string();
  if (!is_model_name(definition.name))
    throw name.error("a model's name must be 1 to 100 letters and digits (of any script), _, - and .");
  static_cast<void>(read_text(reader, "$schema"));
  definition.description = read_text(reader, "description");
  definition.source = read_text(reader, "source");
  read_parameters(reader, definition);
  for (const char* key : {"inputs", "layers"})
    static_cast<void>(reader.at(key));  // only checks that they are there; build_network_plan reads them
  reader.ignore("blocks");
  definition.loss = reader.at("loss").string();
  definition.optimizer = read_optimizer(reader.at("optimizer"));
  definition.batch_size = reader.at("batch_size").integer(1, kMaxSize);
  definition.rows = reader.at("rows").integer(1, std::int64_t{1} << 53);
  reader.done();
  definition.document = std::move(document);  // moved, not copied: it may be large
  definition.sha256 = schema::definition_sha256(definition.document);
  static_cast<void>(build_network_plan(definition, definition.batch_size, {}, definition.loss, schema::Mode::infer));
  return definition;
}

}  // namespace mpsbench::model
