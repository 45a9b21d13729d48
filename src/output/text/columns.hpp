// The only description of each figure in tables: key, title, unit and how to get it. The tables on the
// console, in Markdown and in CSV are made from it.
#pragma once

#include "schema/report.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace mpsbench::output {

// Monostate means null.
using Value = std::variant<std::monostate, std::int64_t, double, std::string>;

struct Column {
  std::string key;  // heading in CSV, with the unit: "step_seconds"
  std::function<Value(const schema::CaseResult&)> value;
  std::string title = {};  // heading in tables for people: "step"; empty: CSV only
  bool right = true;       // tables for people align it right
  // Makes the cell in tables for people. If this is empty, they show the plain value.
  std::function<std::string(const schema::CaseResult&)> text = {};
  bool is_late = false;  // the last ones in CSV, because older files lack it
};

// Returns all columns, in order. The fastest case of REPORT decides whether rates are in GFLOP/s or TFLOP/s.
[[nodiscard]] std::vector<Column> columns(const schema::Report& report);

// Returns the cell of COLUMN in tables for people, or "–" for null. It may contain any text from a report:
// see printable().
[[nodiscard]] std::string cell_text(const Column& column, const schema::CaseResult& result);

// Returns VALUE with all its digits, or an empty text for null. Texts may contain any characters.
[[nodiscard]] std::string plain_text(const Value& value);

// Returns the middle of TIME, which is a metric of RESULT: the median or, for a published case, which may
// have nothing else, the mean.
[[nodiscard]] std::optional<double> middle_of(const schema::CaseResult& result, const schema::TimeMetrics& time);
// What follows a time or a rate that is not of the median step.
inline constexpr const char* kMeanMark = " (mean)";
// Returns the case's time per step with its interval, or "–" if there is none.
[[nodiscard]] std::string step_text(const schema::CaseResult& result);

// Returns why a case failed, its flags, and how many launches were disturbed. May contain any characters.
[[nodiscard]] std::string remarks(const schema::CaseResult& result);

// Returns one line that says why a case has no figures or only some: "out of memory (needs 14.2 GiB, 9.8
// free)". Returns an empty text if the case is ok.
[[nodiscard]] std::string failure_words(schema::Status status, const std::optional<schema::Failure>& failure);

// Returns RATE with four significant digits, or as many as DIGITS: "226.6", "12,350".
[[nodiscard]] std::string format_rate(double rate, int digits = 4);
// Returns what follows a rate that is not of the median step: " (mean)", " (epochs)" or " (loop)".
[[nodiscard]] std::string rate_mark(const schema::RateMetric& rate);
// Returns a factor for sentences, with two significant digits: "3.1", "1,800".
[[nodiscard]] std::string times_text(double times);
// A speed compared with another one, for sentences: 3.1 is "3.1 times as fast", 0.42 is "2.4 times slower",
// and what rounds to 1 is "as fast".
[[nodiscard]] std::string speed_words(double speed);

}  // namespace mpsbench::output
