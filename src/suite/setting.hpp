// The value of one option, and the place where it was set.
#pragma once

#include "base/error.hpp"

#include <concepts>
#include <optional>
#include <string>
#include <utility>

namespace mpsbench::suite {

// What a setting is whatever its value.
class AnySetting {
 public:
  // The option's: "batch-size".
  [[nodiscard]] std::string name() const { return name_; }
  [[nodiscard]] bool has() const { return origin_.has_value(); }
  // Where it was set, "--batch-size" or "quick.json: $.matrices[0].batch-size"; the option if it was not.
  [[nodiscard]] std::string origin() const { return origin_.value_or("--" + name()); }
  [[nodiscard]] bool is_on_command_line() const { return has() && origin().starts_with("--"); }
  // An error that names the place.
  [[nodiscard]] base::Error error(const std::string& message) const {
    return base::usage_error(origin() + ": " + message);
  }

 protected:
  explicit AnySetting(const char* name) : name_(name) {}

  std::optional<std::string> origin_;

 private:
  const char* name_;
};

template <typename Value>
class Setting : public AnySetting {
 public:
  // NAME: the option's, a literal.
  explicit Setting(const char* name) : AnySetting(name) {}

  [[nodiscard]] const Value& value() const { return value_.value(); }
  [[nodiscard]] Value value_or(Value otherwise) const { return value_.value_or(std::move(otherwise)); }
  [[nodiscard]] const std::optional<Value>& optional() const { return value_; }
  // Of a flag.
  [[nodiscard]] bool is_on() const
    requires std::same_as<Value, bool>
  {
    return value_.value_or(false);
  }

  void set(Value value, const std::string& origin) {
    value_ = std::move(value);
    origin_ = origin;
  }
  void clear() {
    value_.reset();
    origin_.reset();
  }

 private:
  std::optional<Value> value_;
};

}  // namespace mpsbench::suite
