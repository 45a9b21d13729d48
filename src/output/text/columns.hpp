// The one description of each figure that tables show: key, title, unit and how to get it. Console, Markdown
// and CSV are made from it.
#pragma once

#include "schema/report.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

namespace mpsbench::output {

// Monostate: null.
using Value = std::variant<std::monostate, std::int64_t, double, std::string>;

struct Column {
  std::string key;  // CSV's heading, with the unit: "step_seconds"
  std::function<Value(const schema::CaseResult&)> value;
  std::string title = {};  // people's heading: "step"; empty: CSV only
  bool right = true;       // people's tables align it right
  std::function<std::string(const schema::CaseResult&)> text = {};  // people's cell; empty: the plain value
};

// All columns, in order. The fastest case of REPORT decides between GFLOP/s and TFLOP/s.
[[nodiscard]] std::vector<Column> columns(const schema::Report& report);

// What people's tables show in COLUMN; "–" for null. May hold anything that a report holds: see printable().
[[nodiscard]] std::string cell_text(const Column& column, const schema::CaseResult& result);

// VALUE with all its digits; empty for null. Text may hold anything.
[[nodiscard]] std::string plain_text(const Value& value);

// Flags, and before them why a case failed. May hold anything.
[[nodiscard]] std::string remarks(const schema::CaseResult& result);

// In words, on one line, why a case has no figures or not all: "out of memory (needs 14.2 GiB, 9.8 free)";
// empty for an ok one.
[[nodiscard]] std::string failure_words(schema::Status status, const std::optional<schema::Failure>& failure);

// "141 ms ±0.6 %"; no interval: "141 ms".
[[nodiscard]] std::string with_interval(double median, const std::optional<schema::Interval>& interval);
// "±0.6 %".
[[nodiscard]] std::string format_noise(double relative_half_width);
// "226.6", "12,350": four significant digits.
[[nodiscard]] std::string format_rate(double rate);

}  // namespace mpsbench::output
