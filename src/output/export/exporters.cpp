#include "output/export/exporters.hpp"

#include "base/json_file.hpp"
#include "output/text/columns.hpp"
#include "output/text/learned.hpp"
#include "output/text/quoting.hpp"
#include "output/text/report_grid.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace mpsbench::output {
namespace {

std::string csv_cell(const Value& value) {
  const auto* text = std::get_if<std::string>(&value);
  return text != nullptr ? csv_text_cell(*text) : plain_text(value);
}

}  // namespace

std::string to_csv(const schema::Report& report) {
  std::vector<Column> all = columns(report);
  std::ranges::stable_sort(all, {}, &Column::is_late);
  std::string text;
  for (const Column& column : all) text += (text.empty() ? "" : ",") + column.key;
  text += "\r\n";
  for (const schema::CaseResult& result : report.cases) {
    std::string line;
    for (const Column& column : all) {
      line += (&column == all.data() ? "" : ",") + csv_cell(column.value(result));
    }
    text += line + "\r\n";
  }
  return text;
}

std::string to_markdown(const schema::Report& report) {
  std::string text = markdown(report_grid(report));
  std::string lines;
  for (const std::string& line : learned(report)) lines += "- " + markdown_cell(line) + "\n";
  return lines.empty() ? text : text + "\n" + lines;
}

std::string to_json_text(const schema::Report& report) {
  return base::to_text(schema::to_json(report), 1) + "\n";
}

std::string to_json_lines(const schema::Report& report) {
  std::string text;
  for (const schema::CaseResult& result : report.cases) text += base::to_text(schema::to_json(result)) + "\n";
  return text;
}

}  // namespace mpsbench::output
