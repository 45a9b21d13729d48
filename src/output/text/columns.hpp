// The only description of each figure in tables: key, title, unit and how to get it. The tables on the
// console, in Markdown and in CSV are made from it.
#pragma once

#include "output/text/text.hpp"
#include "schema/report.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
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

// A column that readers of the page can choose to see drawn.
struct DrawnColumn {
  const char* key;
  const char* title;
  const char* unit;
  bool is_more_better = false;
  bool is_by_batch = false;  // the page also has a chart of it against batch size
};

// Returns them in the page's order.
[[nodiscard]] std::span<const DrawnColumn> drawn_columns();

// Returns the cell of COLUMN in tables for people, or "–" for null. It may contain any text from a report:
// see printable().
[[nodiscard]] std::string cell_text(const Column& column, const schema::CaseResult& result);

// Returns VALUE with all its digits, or an empty text for null. Texts may contain any characters.
[[nodiscard]] std::string plain_text(const Value& value);
// Returns VALUE, a quantity in UNIT, as text for people; "–" for null.
[[nodiscard]] std::string text_in_unit(const Value& value, std::string_view unit);

// Returns a table for people: one row per case, with the columns that have a title. Cells longer than WIDEST
// are shortened.
[[nodiscard]] Grid report_grid(const schema::Report& report, std::size_t widest = SIZE_MAX);

}  // namespace mpsbench::output
