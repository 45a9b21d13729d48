// Parameters: "$name" as a whole value stands for the value of a parameter. There is no arithmetic.
#pragma once

#include "base/json_reader.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <set>
#include <string>

namespace mpsbench::model {

// What "$name" means at a place: a block's own parameters, then the model's.
class Environment {
 public:
  // PLACE names the owner for messages ("the block 'stage'"). OUTER, which may be null, must outlive this.
  explicit Environment(std::string place, const Environment* outer = nullptr);

  void set(const std::string& name, nlohmann::json value) { values_[name] = std::move(value); }
  // VALUE, its items if it is a list or an object, with every "$name" replaced. Throws at the reader's path
  // for an unknown parameter.
  [[nodiscard]] nlohmann::json resolve(const base::Reader& value) const;
  // The first parameter that no resolve() has asked for; empty: none.
  [[nodiscard]] std::string unused() const;

 private:
  [[nodiscard]] nlohmann::json resolve_part(const base::Reader& part) const;
  [[nodiscard]] const nlohmann::json* find(const std::string& name) const;

  std::string place_;
  const Environment* outer_;
  std::map<std::string, nlohmann::json> values_;
  mutable std::set<std::string> used_;
};

// Throws unless VALUE may be a parameter: a number, true or false, a short text, or a list of up to 8 whole
// numbers.
void require_parameter_value(const base::Reader& value);

// Names of parameters, blocks, inputs and layers are letters, digits and _, at most 100.
[[nodiscard]] bool is_identifier(const std::string& text);

// TEXT in quotes for a message: short, on one line.
[[nodiscard]] std::string in_quotes(const std::string& text);

}  // namespace mpsbench::model
