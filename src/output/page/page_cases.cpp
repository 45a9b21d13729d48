#include "output/page/page_cases.hpp"

#include "output/page/page_table.hpp"
#include "output/text/columns.hpp"
#include "output/text/quoting.hpp"
#include "report/metrics/flags.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace mpsbench::output {
namespace {

// Whether the case's name already shows this column.
bool is_named(const std::string& key) {
  constexpr std::array<const char*, 6> kNamed{"model", "mode", "device", "precision", "batch_size", "engine"};
  return std::any_of(kNamed.begin(), kNamed.end(), [&](const char* name) { return key == name; });
}

std::vector<Column> shown_columns(const schema::Report& report) {
  std::vector<Column> shown;
  for (Column& column : columns(report)) {
    if (!column.title.empty() && !is_named(column.key)) shown.push_back(std::move(column));
  }
  return shown;
}

std::string cell_html(const Column& column, const schema::CaseResult& result) {
  if (column.key == "flags") return remarks_html(result);
  return xml_text(cell_text(column, result));
}

PageTable table_of(const PageReports& page, std::size_t at) {
  const schema::Report& report = (*page.all)[at];
  const std::vector<Column> shown = shown_columns(report);
  PageTable table{(page.several() ? page.letters[at] + " · " : "") + report.host.name, {"case"}, {false}, {}};
  for (const Column& column : shown) {
    table.titles.push_back(column.title);
    table.right.push_back(column.right);
  }
  for (std::size_t number = 0; number < report.cases.size(); ++number) {
    std::vector<std::string>& row = table.rows.emplace_back();
    row.push_back("<a href=\"#" + case_anchor(at, number) + "\">" + breakable(page.ids[at][number]) + "</a>");
    for (const Column& column : shown) row.push_back(cell_html(column, report.cases[number]));
  }
  return table;
}

}  // namespace

std::string cases_section(const PageReports& page) {
  std::string text = "<section id=\"cases\"><h2>Cases</h2>\n";
  for (std::size_t at = 0; at < page.all->size(); ++at) text += html_of(table_of(page, at));
  return text + "</section>\n";
}

std::string flags_section(const PageReports& page) {
  std::set<std::string> raised;
  for (const schema::Report& report : *page.all) {
    for (const schema::CaseResult& result : report.cases)
      raised.insert(result.flags.begin(), result.flags.end());
  }
  std::string rows;
  for (const report::FlagRow& flag : report::flag_rows()) {
    if (raised.count(flag.name) > 0)
      rows += "<dt>" + xml_text(flag.name) + "</dt><dd>" + xml_text(flag.rule) + "</dd>\n";
  }
  return rows.empty() ? "" : "<section id=\"flags\"><h2>Flags</h2>\n<dl>" + rows + "</dl></section>\n";
}

std::string remarks_html(const schema::CaseResult& result) {
  const std::string failure = failure_words(result.status, result.failure);
  std::string text = failure.empty() ? "" : "<span class=\"bad\">" + xml_text(failure) + "</span>";
  for (const std::string& flag : result.flags)
    text += (text.empty() ? "" : " ") + ("<span class=\"flag\">" + xml_text(flag) + "</span>");
  return text;
}

}  // namespace mpsbench::output
