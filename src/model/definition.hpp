// A network as a person wrote it: models/NAME.json or a file of their own, read and checked.
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
  std::optional<std::int64_t> classes;  // the parameter "classes"; null: the network has none
  std::optional<double> dropout;        // likewise "dropout"
  std::optional<std::int64_t> tokens;   // likewise "tokens", of a text
  std::int64_t batch_size = 0;
  std::int64_t rows = 0;  // of the data set that an epoch goes over
  std::string loss;
  schema::OptimizerSpec optimizer;  // every setting filled in
  nlohmann::json document;          // verbatim
  std::string file;                 // for messages
  std::string sha256;
};

// Checks everything: keys, types, names, and the shapes of every layer at the definition's own batch size.
// FILE names the document in messages. Throws Error(usage) "FILE: PATH: what is wrong".
[[nodiscard]] Definition read_definition(nlohmann::json document, const std::string& file);

}  // namespace mpsbench::model
