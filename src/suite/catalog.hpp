// The models and suites that come with the program, and files that a user names instead.
#pragma once

#include "model/definition.hpp"
#include "suite/suite_file.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace mpsbench::suite {

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
