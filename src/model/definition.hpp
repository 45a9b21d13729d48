// A model definition, read and checked: models/NAME.json or a user's own file.
#pragma once

#include "schema/case_spec.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace mpsbench::model {

struct Definition {
  std::string name;
  std::string description;
  std::string source;
  std::optional<std::int64_t> classes;  // the parameter "classes"; null: there is none
  std::optional<double> dropout;        // the parameter "dropout"; null: there is none
  std::optional<std::int64_t> tokens;   // the parameter "tokens" (length of a text); null: there is none
  std::int64_t batch_size = 0;
  std::int64_t rows = 0;  // number of rows in an epoch
  std::string loss;
  schema::OptimizerSpec optimizer;  // with all settings filled in
  nlohmann::json document;          // the file's content, unchanged
  std::string file;                 // file name for messages
  std::string sha256;

  // Whether it may have --mode generate.
  [[nodiscard]] bool continues_texts() const { return tokens && loss == "next_token_cross_entropy"; }
};

// Whether TEXT is 1 to 100 letters, digits, _, - and '.'. A model's name is part of every case's id, so it
// may not contain '/' or '+'.
[[nodiscard]] bool is_model_name(const std::string& text);
// Letters and digits of any script, '_', '-' and '.': of ASCII no others, and nothing invisible.
[[nodiscard]] bool is_name_character(std::uint32_t code_point);
inline constexpr std::size_t kMostNameCharacters = 100;

// Checks everything: keys, types, names, and the shapes of every layer at the definition's own batch size.
// Messages call the document FILE. Throws an Error(usage) of the form "FILE: PATH: what is wrong".
[[nodiscard]] Definition read_definition(nlohmann::json document, const std::string& file);

}  // namespace mpsbench::model
