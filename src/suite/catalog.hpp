// The models and suites that come with the program, and files that a user names instead.
#pragma once

#include "base/json_reader.hpp"
#include "model/definition.hpp"
#include "suite/option.hpp"
#include "suite/settings.hpp"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace mpsbench::suite {

// A suite: configs/NAME.json, a list of matrices. Each matrix has its own settings, which override the suite's.
struct Suite {
  std::string name;
  std::string description;
  Settings settings;
  std::vector<Settings> matrices;  // each with the common settings already merged in
};

// Throws Error(usage) "FILE: PATH: what is wrong".
[[nodiscard]] Suite read_suite(const nlohmann::json& document, const std::string& file);

// Returns the JSON Schema of suites, as the table of options says.
[[nodiscard]] nlohmann::ordered_json suite_json_schema();

// Reads those keys of a suite's object that are options and may stand at PLACE. Throws Error(usage) with file and path.
[[nodiscard]] Settings read_settings(base::Reader& reader, OptionPlace place);

class Catalog {
 public:
  // FOLDER contains models/ and configs/.
  explicit Catalog(std::filesystem::path folder);

  [[nodiscard]] std::vector<std::string> model_names() const;  // sorted
  [[nodiscard]] std::vector<std::string> suite_names() const;

  // NAME is a name, or a path that ends in .json. Throws Error(usage); for an unknown name the message
  // suggests the nearest one.
  [[nodiscard]] model::Definition load_model(const std::string& name) const;
  [[nodiscard]] Suite load_suite(const std::string& name) const;

 private:
  [[nodiscard]] std::filesystem::path locate(const std::string& kind, const std::string& folder,
                                             const std::string& name) const;

  std::filesystem::path folder_;
};

}  // namespace mpsbench::suite
