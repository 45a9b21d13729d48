// Parameters. A value that is "$name" is replaced by the parameter's value. There is no arithmetic.
#pragma once

#include "base/json_reader.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <set>
#include <string>

namespace mpsbench::model {

// The parameters that "$name" can refer to at one place: first a block's own, then the model's.
class Environment {
 public:
  // PLACE names the owner in messages ("the block 'stage'"). OUTER may be null and must outlive this object.
  explicit Environment(std::string place, const Environment* outer = nullptr);

  void set(const std::string& name, nlohmann::json value) { values_[name] = std::move(value); }
  // Returns VALUE with every "$name" replaced, also in the items of a list or object. Throws Error(usage)
  // with the JSON path if a parameter is unknown.
  [[nodiscard]] nlohmann::json resolve(const base::Reader& value) const;
  // Returns the first parameter that no resolve() call has used, or an empty text if all were used.
  [[nodiscard]] std::string unused() const;

 private:
  [[nodiscard]] nlohmann::json resolve_part(const base::Reader& part) const;
  [[nodiscard]] const nlohmann::json* find(const std::string& name) const;

  std::string place_;
  const Environment* outer_;
  std::map<std::string, nlohmann::json> values_;
  mutable std::set<std::string> used_;
};

// Throws Error(usage) unless VALUE can be a parameter's value: a number, true, false, a short string or a
// list of up to 8 whole numbers.
void require_parameter_value(const base::Reader& value);

// Whether TEXT can name a parameter, block, input or layer: 1 to 100 letters, digits and _.
[[nodiscard]] bool is_identifier(const std::string& text);

// Returns TEXT in quotes for a message, shortened and on one line.
[[nodiscard]] std::string in_quotes(const std::string& text);

// Returns "unknown WHAT 'NAME' (did you mean 'B'?); known: A, B, C".
[[nodiscard]] std::string unknown_name(const char* what, const std::string& name,
                                       const std::vector<std::string>& known);

}  // namespace mpsbench::model
