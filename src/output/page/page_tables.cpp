#include "output/page/page_tables.hpp"

#include "base/units.hpp"
#include "output/console/comparison_table.hpp"
#include "output/text/columns.hpp"
#include "output/text/interval_text.hpp"
#include "output/text/text.hpp"
#include "report/metrics/flags.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

namespace mpsbench::output {
namespace {

using schema::CaseResult;

// Cells are HTML.
struct PageTable {
  std::string caption;
  std::vector<std::string> titles;
  std::vector<bool> right;
  std::vector<std::vector<std::string>> rows;
};

// A table that scrolls by itself if it is too wide, with keys, too.
std::string html_of(const PageTable& table) {
  const std::string caption = xml_text(table.caption);
  std::string text = "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"" + caption +
                     "\"><table><caption>" + caption + "</caption><thead><tr>";
  for (std::size_t at = 0; at < table.titles.size(); ++at)
    text += std::string("<th scope=\"col\"") + (table.right[at] ? " class=\"r\">" : ">") + xml_text(table.titles[at]) +
            "</th>";
  text += "</tr></thead><tbody>\n";
  for (const std::vector<std::string>& row : table.rows) {
    text += "<tr><th scope=\"row\">" + row.front() + "</th>";
    for (std::size_t at = 1; at < row.size(); ++at)
      text += (table.right[at] ? "<td class=\"r\">" : "<td>") + row[at] + "</td>";
    text += "</tr>\n";
  }
  return text + "</tbody></table></div>\n";
}

std::string link_of(const PageReports& page, std::size_t position) {
  return "<a href=\"#" + case_anchor(position) + "\">" + xml_text(page.named(page.cases[position])) + "</a>";
}

std::string verdict_table(const PageReports& page) {
  const Grid grid = comparison_grid(page.comparison.value());
  PageTable table{"Verdicts", grid.titles, grid.right, {}};
  for (const Grid::Row& row : grid.rows) {
    std::vector<std::string>& cells = table.rows.emplace_back();
    for (const std::string& cell : row.cells) cells.push_back(xml_text(cell));
  }
  return html_of(table);
}

std::string speeds_table(const PageReports& page, const PageReference& reference) {
  PageTable table{"Speed against " + page.machines[reference.machine],
                  {"case", "machine", "speed", "95 % interval"},
                  {false, false, true, true},
                  {}};
  for (const PageSpeeds& one : reference.others) {
    for (const auto& [row, speed] : one.pairs)
      table.rows.push_back({link_of(page, page.position(page.table.rows[row].cells[one.machine].result)),
                            xml_text(page.machines[one.machine]), format_times(speed.value),
                            speed.within_launch ? kWithinLaunch : interval_text(speed.value, speed.ci95)});
  }
  return html_of(table);
}

std::string rates_table(const PageReports& page) {
  PageTable table{"Rows a second", {"case", "machine", "rows/s", "95 % interval"}, {false, false, true, true}, {}};
  for (std::size_t at = 0; at < page.cases.size(); ++at) {
    const schema::RateMetric& rate = page.result(page.cases[at]).metrics.rows_per_second;
    if (rate.value && page.cases[at].is_fastest)
      table.rows.push_back({link_of(page, at), xml_text(page.machines[page.cases[at].machine]),
                            format_rate(*rate.value) + xml_text(rate_mark(rate)),
                            interval_text(*rate.value, rate.ci95)});
  }
  return table.rows.empty() ? "" : html_of(table);
}

// Whether the case's name already shows this column.
bool is_named(const std::string& key) {
  constexpr std::array<const char*, 6> kNamed{"model", "mode", "device", "precision", "batch_size", "engine"};
  return std::any_of(kNamed.begin(), kNamed.end(), [&](const char* name) { return key == name; });
}

// Returns "epyc-9, 2026-11-22, a1b2c3d".
std::string report_title(const schema::Report& report) {
  std::string title = report.host.name;
  for (const std::string& part : {report.run.started_at.substr(0, 10), schema::commit_text(report.tool)})
    title += part.empty() ? "" : ", " + part;
  return title;
}

void add_fact(std::string& list, const std::string& name, const std::string& text) {
  if (text.find_first_not_of(" ,") != std::string::npos)
    list += "<dt>" + xml_text(name) + "</dt><dd>" + xml_text(text) + "</dd>";
}

std::string facts_of(const schema::Report& report, const std::string& file) {
  const schema::HostInfo& host = report.host;
  std::string list;
  std::string cpu = host.cpu.model;
  if (host.cpu.physical_cores) cpu += fmt::format(", {} cores", *host.cpu.physical_cores);
  if (host.cpu.logical_cores > 0) cpu += fmt::format(", {} threads", host.cpu.logical_cores);
  add_fact(list, "CPU", cpu);
  for (const schema::Accelerator& one : host.accelerators)
    add_fact(list, to_string(one.device),
             one.name + (one.memory_bytes ? ", " + base::format_bytes(static_cast<double>(*one.memory_bytes)) : ""));
  if (host.memory_bytes > 0) add_fact(list, "memory", base::format_bytes(static_cast<double>(host.memory_bytes)));
  add_fact(list, "system", host.os.name + " " + host.os.version + " " + host.os.arch);
  if (host.libtorch)
    add_fact(list, "LibTorch",
             host.libtorch->version + (host.libtorch->cuda ? ", CUDA " + *host.libtorch->cuda : "") +
                 (host.libtorch->cudnn ? ", cuDNN " + *host.libtorch->cudnn : ""));
  add_fact(list, "power", host.power.source.value_or("") + " " + host.power.mode.value_or(""));
  const bool is_whole = report.run.status == schema::RunStatus::complete;
  add_fact(
      list, "run",
      report.run.suite + " " + report.run.started_at + (is_whole ? "" : " (" + to_string(report.run.status) + ")"));
  add_fact(list, "tool", report.tool.name + " " + report.tool.version + " " + schema::commit_text(report.tool));
  add_fact(list, "file", file);
  return list;
}

std::string paragraph(const std::string& words) {
  return words.empty() ? "" : "<p>" + xml_text(words) + "</p>";
}

std::string published_words(const schema::Published& published) {
  std::string source = xml_text(published.source);
  const std::string url = published.url.value_or("");
  if (url.starts_with("https://")) source = "<a href=\"" + xml_text(url) + "\" rel=\"noreferrer\">" + source + "</a>";
  std::string text = "<p>Published, not measured by mpsbench: " + source + "</p>";
  for (const std::string& name : published.cautions) {
    const schema::Caution* caution = schema::find_caution(name);
    text += paragraph(name + (caution != nullptr ? std::string(": ") + caution->meaning : ""));
  }
  return text + paragraph(published.remark);
}

// Returns TEXT as preformatted lines.
std::string preformatted(const std::string& text) {
  std::string lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines += xml_text(text.substr(begin, end - begin)) + "\n";
    begin = end + 1;
  }
  return lines.empty() ? "" : "<pre>" + lines + "</pre>";
}

std::string flags_in_words(const CaseResult& result, const std::vector<report::FlagRow>& known) {
  std::string text;
  for (const std::string& flag : result.flags) {
    const auto row = std::ranges::find(known, flag, &report::FlagRow::name);
    text += paragraph(row == known.end() ? flag : flag + ": " + row->rule);
  }
  return text;
}

}  // namespace

std::string case_anchor(std::size_t position) {
  return "c" + std::to_string(position);
}

std::string first_table(const PageReports& page, const std::vector<PageReference>& references) {
  if (page.comparison) return verdict_table(page);
  return references.empty() ? rates_table(page) : speeds_table(page, references.front());
}

std::string case_tables(const PageReports& page) {
  std::string text;
  std::size_t position = 0;
  for (const schema::Report& report : *page.all) {
    PageTable table{report_title(report), {"case"}, {false}, {}};
    std::vector<Column> shown = columns(report);
    std::erase_if(shown, [](const Column& one) { return one.title.empty() || is_named(one.key); });
    for (const Column& column : shown) {
      table.titles.push_back(column.title);
      table.right.push_back(column.right);
    }
    for (const CaseResult& result : report.cases) {
      std::vector<std::string>& row = table.rows.emplace_back();
      row.push_back(link_of(page, position));
      row.front() += " <small>" + to_string(result.spec.device) + "</small>";
      for (const Column& column : shown) row.push_back(xml_text(cell_text(column, result)));
      ++position;
    }
    text += html_of(table);
  }
  return text;
}

std::string case_details(const PageReports& page) {
  const std::vector<report::FlagRow> known = report::flag_rows();
  std::string text;
  for (std::size_t at = 0; at < page.cases.size(); ++at) {
    const PageCase& one = page.cases[at];
    const CaseResult& result = page.result(one);
    text += "<details class=\"case\" id=\"" + case_anchor(at) + "\"><summary>" + xml_text(page.named(one)) + " <b>" +
            xml_text(step_text(result)) + "</b> <small>" + xml_text(page.machines[one.machine]) + "</small> <i>" +
            xml_text(remarks(result)) + "</i></summary><div class=\"words\">" + flags_in_words(result, known);
    if (result.published) text += published_words(*result.published);
    if (result.failure) text += preformatted(result.failure->detail);
    text += "<p class=\"id\">" + xml_text(result.id) + "</p></div></details>\n";
  }
  return text;
}

std::string host_lists(const PageReports& page) {
  std::string text;
  for (std::size_t at = 0; at < page.all->size(); ++at)
    text += "<div class=\"card\"><h3>" + xml_text((*page.all)[at].host.name) + "</h3><dl>" +
            facts_of((*page.all)[at], page.compared[at].file) + "</dl></div>\n";
  return text;
}

}  // namespace mpsbench::output
