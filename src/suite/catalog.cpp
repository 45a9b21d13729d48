#include "suite/catalog.hpp"

#include "base/error.hpp"
#include "base/json_file.hpp"
#include "base/units.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <system_error>
#include <utility>

namespace mpsbench::suite {

namespace {

using nlohmann::ordered_json;

constexpr std::size_t kMostMatrices = 1000;
// For the JSON Schema. As is_suite_name(), which also counts the bytes.
constexpr const char* kNamePattern =
    "^(?!\\.)[^\\u0000-,/"
    ":-@\\[-\\^`{-\\u00a0\\u00ad\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u206f\\u3000\\ufeff]{1,100}$";

// The name becomes part of the report's file name.
bool is_suite_name(const std::string& text) {
  constexpr std::size_t kMostBytes = 100;
  return model::is_model_name(text) && text.size() <= kMostBytes && text.front() != '.';
}

// Returns one JSON scalar as a person would type it on the command line.
std::string scalar_text(const base::Reader& reader, const Option& option) {
  if (option.kind == OptionKind::flag) return reader.boolean() ? "true" : "false";
  if (reader.is_string()) return reader.string();
  if (reader.is_number()) return reader.value().dump();
  throw reader.error("expected a text or a number, as for --" + option.name);
}

std::string value_text(const base::Reader& reader, const Option& option) {
  if (option.kind != OptionKind::list || !reader.is_array()) return scalar_text(reader, option);
  if (reader.size() == 0) throw reader.error("the list is empty");
  std::vector<std::string> items;
  for (const base::Reader& item : reader.items()) items.push_back(base::list_item(scalar_text(item, option)));
  return base::join(items, ",");
}

namespace fs = std::filesystem;

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  }
  if (error) {
    throw base::usage_error("the program's own files are missing: " + folder.string() + ": " + error.message());
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool is_path(const std::string& name) {
  return name.ends_with(".json") || name.ends_with(".JSON") || name.find('/') != std::string::npos;
}

// Throws Error(usage) if NAME is a file in a format that mpsbench does not run.
void require_definition(const std::string& name) {
  std::error_code error;
  if (!fs::is_regular_file(name, error)) return;
  for (const char* ending : {".safetensors", ".bin", ".ckpt", ".gguf"}) {
    if (name.ends_with(ending))
      throw base::usage_error(name +
                              ": these are weights, not a network; write --model NAME --weights FILE.safetensors");
  }
  for (const char* ending : {".onnx", ".h5", ".keras", ".tflite", ".mlmodel", ".pb", ".engine"}) {
    if (name.ends_with(ending))
      throw base::usage_error(name +
                              ": mpsbench takes definitions (.json), TorchScript files (.pt, .pth, .torchscript) and "
                              "packages by AOTInductor (.pt2)");
  }
}

}  // namespace

Suite read_suite(const nlohmann::json& document, const std::string& file) {
  base::Reader reader(document, file);
  const bool is_other = reader.is_object() && !reader.has("matrices");
  if (is_other && reader.has("layers")) throw reader.error("this is a model, not a suite; name it with --model");
  if (is_other && reader.has("schema_version"))
    throw reader.error("this is a report, not a suite; to continue its run, use --resume");
  if (reader.is_object() && reader.has("output"))
    throw reader.error("a suite has no key 'output'; choose the format with mpsbench run -f FORMAT");
  Suite suite;
  const base::Reader name = reader.at("name");
  suite.name = name.string();
  if (!is_suite_name(suite.name))
    throw name.error(
        "a suite's name must be letters and digits (of any script), _, - and ., 1 to 100 bytes, not beginning with .");
  if (const auto schema = reader.find("$schema")) static_cast<void>(schema->string());
  if (const auto description = reader.find("description")) suite.description = description->string();
  suite.settings = read_settings(reader, OptionPlace::suite);
  const base::Reader matrices = reader.at("matrices");
  if (matrices.size() == 0) throw matrices.error("the list is empty; a suite needs at least one matrix");
  if (matrices.size() > kMostMatrices) {
    throw matrices.error("the list has more than " + std::to_string(kMostMatrices) +
                         " matrices; use ranges, or split the suite");
  }
  for (base::Reader item : matrices.items()) {
    const Settings matrix = read_settings(item, OptionPlace::matrix);
    item.done();
    suite.matrices.push_back(suite.settings.overlaid_with(matrix));
  }
  reader.done();
  return suite;
}

nlohmann::ordered_json suite_json_schema() {
  ordered_json own = ordered_json::object();
  ordered_json of_matrices = ordered_json::object();
  for (const Option& option : options()) {
    if (option.traits.place == OptionPlace::command_line) continue;
    ordered_json schema{{"description", option.help}};
    schema.update(option.schema());
    (option.traits.place == OptionPlace::suite ? own : of_matrices)[option.name] = std::move(schema);
  }
  ordered_json properties{
      {"$schema", {{"type", "string"}}},
      {"name", {{"description", "part of the report's file name"}, {"type", "string"}, {"pattern", kNamePattern}}},
      {"description", {{"type", {"string", "null"}}}},
      {"matrices", {{"type", "array"}, {"minItems", 1}, {"items", {{"$ref", "#/$defs/matrix"}}}}}};
  properties.update(own);
  const ordered_json matrix{{"type", "object"}, {"$ref", "#/$defs/settings"}, {"unevaluatedProperties", false}};
  return {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
          {"title", "mpsbench suite"},
          {"description",
           "A list of matrices: every combination of models, modes, devices, batch sizes, precisions and engines of a "
           "matrix is a case. Keys are the options of `mpsbench run`. A matrix's keys override the suite's; the "
           "command line overrides both."},
          {"type", "object"},
          {"properties", properties},
          {"required", {"name", "matrices"}},
          {"$ref", "#/$defs/settings"},
          {"unevaluatedProperties", false},
          {"$defs", {{"matrix", matrix}, {"settings", {{"properties", of_matrices}}}}}};
}

Settings read_settings(base::Reader& reader, OptionPlace place) {
  for (const Option& option : options()) {
    if (option.traits.place <= place) reader.ignore(option.name);  // so that done() suggests it
  }
  Settings settings;
  for (const std::string& key : reader.keys()) {
    const Option* option = find_option(key);
    if (option == nullptr || option->traits.place > place) continue;
    const base::Reader value = reader.at(key);
    option->set(settings, value_text(value, *option), value.file() + ": " + value.path());
  }
  return settings;
}

Catalog::Catalog(fs::path folder) : folder_(std::move(folder)) {}

std::vector<std::string> Catalog::model_names() const {
  return names_in(folder_ / "models");
}
std::vector<std::string> Catalog::suite_names() const {
  return names_in(folder_ / "configs");
}

fs::path Catalog::locate(const std::string& kind, const std::string& folder, const std::string& name) const {
  const std::vector<std::string> names = names_in(folder_ / folder);
  if (is_path(name)) {
    std::error_code error;
    if (fs::exists(name, error) || error) return name;  // opening it says what is wrong
    const std::string stem = name.substr(0, name.rfind(".json"));
    throw base::usage_error(name + ": no such file; " +
                            (std::ranges::binary_search(names, stem)
                                 ? "mpsbench's own " + kind + " has a name without .json: " + stem
                                 : "check its path, or see `mpsbench list " + kind + "s`"));
  }
  if (!std::ranges::binary_search(names, name)) {
    const std::string lead = "unknown " + kind + " '" + name + "'";
    if (kind == "suite" && std::ranges::binary_search(model_names(), name))
      throw base::usage_error(lead + ", but a model has this name; write --model " + name);
    if (kind == "model" && std::ranges::binary_search(suite_names(), name))
      throw base::usage_error(lead + ", but a suite has this name; write mpsbench run " + name);
    throw base::usage_error(lead + base::did_you_mean(name, names) + "; see `mpsbench list " + kind +
                            "s`, or name a file that ends in .json");
  }
  return folder_ / folder / (name + ".json");
}

model::Definition Catalog::load_model(const std::string& name) const {
  require_definition(name);
  const fs::path path = locate("model", "models", name);
  return model::read_definition(base::read_json_file(path), path.string());
}

Suite Catalog::load_suite(const std::string& name) const {
  const fs::path path = locate("suite", "configs", name);
  return read_suite(base::read_json_file(path), path.string());
}

}  // namespace mpsbench::suite
