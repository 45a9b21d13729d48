#include "suite/suite_file.hpp"

#include "model/definition.hpp"
#include "suite/read_settings.hpp"

#include <nlohmann/json.hpp>

namespace mpsbench::suite {
namespace {

constexpr std::size_t kMostMatrices = 1000;

// The name becomes part of the report's file name.
bool is_suite_name(const std::string& text) {
  constexpr std::size_t kMostBytes = 100;
  return model::is_model_name(text) && text.size() <= kMostBytes && text.front() != '.';
}

// Refuses unknown keys. done() alone would suggest only keys that were read; this function suggests any
// option that is allowed here.
void refuse_unknown_keys(base::Reader& reader, const std::vector<OptionGroup>& allowed) {
  for (const Option& option : options()) {
    for (const OptionGroup group : allowed) {
      if (option.group == group) reader.ignore(option.name);
    }
  }
  reader.done();
}

}  // namespace

Suite read_suite(const nlohmann::json& document, const std::string& file) {
  const std::vector<OptionGroup> matrix_groups{OptionGroup::workload, OptionGroup::measuring};
  const std::vector<OptionGroup> suite_groups{OptionGroup::workload, OptionGroup::measuring,
                                              OptionGroup::output};
  base::Reader reader(document, file);
  const bool is_other = reader.is_object() && !reader.has("matrices");
  if (is_other && reader.has("layers"))
    throw reader.error("this is a model, not a suite; name it with --model");
  if (is_other && reader.has("schema_version"))
    throw reader.error("this is a report, not a suite; to continue its run, use --resume");
  if (reader.is_object() && reader.has("output"))
    throw reader.error("a suite has no key 'output'; choose the format with mpsbench run -f FORMAT");
  Suite suite;
  const base::Reader name = reader.at("name");
  suite.name = name.string();
  if (!is_suite_name(suite.name))
    throw name.error(
        "a suite's name must be letters and digits (of any script), _, - and ., 1 to 100 bytes, not "
        "beginning with .");
  if (const auto schema = reader.find("$schema")) static_cast<void>(schema->string());
  if (const auto description = reader.find("description")) suite.description = description->string();
  suite.settings = read_settings(reader, suite_groups);
  const base::Reader matrices = reader.at("matrices");
  if (matrices.size() == 0) throw matrices.error("the list is empty; a suite needs at least one matrix");
  if (matrices.size() > kMostMatrices) {
    throw matrices.error("the list has more than " + std::to_string(kMostMatrices) +
                         " matrices; use ranges, or split the suite");
  }
  for (base::Reader item : matrices.items()) {
    const Settings matrix = read_settings(item, matrix_groups);
    refuse_unknown_keys(item, matrix_groups);
    suite.matrices.push_back(suite.settings.overlaid_with(matrix));
  }
  refuse_unknown_keys(reader, suite_groups);
  return suite;
}

}  // namespace mpsbench::suite
