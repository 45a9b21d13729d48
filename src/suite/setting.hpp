// The value of one option, with the place where it was set.
#pragma once

#include "base/error.hpp"

#include <concepts>
#include <optional>
#include <string>
#include <utility>

namespace mpsbench::suite {

// The part of a setting that does not depend on the type of its value.
class AnySetting {
 public:
  // Returns the option's name, such as "batch-size".
  [[nodiscard]] std::string name() const { return name_; }
  [[nodiscard]] bool has() const { return origin_.has_value(); }
  // Returns where it was set: "--batch-size" or "quick.json: $.matrices[0].batch-size". If it was not set,
  // returns the option's name.
  [[nodiscard]] std::string origin() const { return origin_.value_or("--" + name()); }
  [[nodiscard]] bool is_on_command_line() const { return has() && origin().starts_with("--"); }
  // Returns an error that begins with the origin.
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
  // NAME is the option's name. It must be a literal, because only the pointer is kept.
  explicit Setting(const char* name) : AnySetting(name) {}

  [[nodiscard]] const Value& value() const { return value_.value(); }
  [[nodiscard]] Value value_or(Value otherwise) const { return value_.value_or(std::move(otherwise)); }
  [[nodiscard]] const std::optional<Value>& optional() const { return value_; }
  // Only for flags.
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
