#include "output/export/list_export.hpp"

#include "base/json_file.hpp"
#include "base/units.hpp"
#include "output/text/grid.hpp"
#include "output/text/text.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <vector>

namespace mpsbench::output {
namespace {

using nlohmann::ordered_json;

constexpr int kDigits = 3;  // of a number with a fraction

std::string texts_of(const ordered_json& list) {
  std::string text;
  for (const ordered_json& item : list) text += (text.empty() ? "" : ", ") + item.get<std::string>();
  return text;
}

std::string list_cell(const ordered_json& value) {
  if (value.empty()) return "–";  // null or an empty list; a text is not empty() in JSON
  if (value.is_array()) return texts_of(value);
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_number_integer()) return base::format_count(value.get<std::int64_t>());
  if (value.is_number()) return base::format_significant(value.get<double>(), kDigits);
  return value.get<std::string>();
}

Grid grid_of(const ordered_json& entries) {
  Grid grid;
  for (const auto& [key, value] : entries.front().items()) {
    grid.titles.push_back(key);
    grid.right.push_back(value.is_number());
  }
  for (const ordered_json& entry : entries) {
    Grid::Row& row = grid.rows.emplace_back();
    for (const auto& [key, value] : entry.items()) row.cells.push_back(list_cell(value));
  }
  return grid;
}

}  // namespace

std::string list_table(const ordered_json& entries) {
  return aligned(grid_of(entries), false);
}

std::string list_markdown(const ordered_json& entries) {
  return entries.empty() ? "" : markdown(grid_of(entries));
}

std::string list_csv(const ordered_json& entries) {
  std::vector<ordered_json> rows(entries.begin(), entries.end());
  for (ordered_json& row : rows) {
    for (ordered_json& value : row) {
      if (value.is_array()) value = texts_of(value);
    }
  }
  return csv_of(rows);
}

std::string list_json(const ordered_json& entries) {
  return base::to_text(entries, 1) + "\n";
}

std::string list_json_lines(const ordered_json& entries) {
  std::string text;
  for (const ordered_json& entry : entries) text += base::to_text(entry) + "\n";
  return text;
}

}  // namespace mpsbench::output
