#include "base/hex.hpp"
#include "base/units.hpp"
#include "output/console/comparison_table.hpp"
#include "output/page/page_reports.hpp"
#include "output/page/page_view.hpp"
#include "output/text/cases.hpp"
#include "output/text/columns.hpp"
#include "output/text/figures.hpp"
#include "output/text/text.hpp"
#include "report/metrics/flags.hpp"
#include "report/metrics/metrics.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>

namespace mpsbench::output {
namespace {

using schema::CaseResult;

// A table that scrolls by itself if it is too wide, with keys, too. Its cells are HTML.
std::string html_of(const std::string& title, const Grid& table) {
  const std::string caption = xml_text(title);
  std::string text = "<div class=\"wide\" tabindex=\"0\" role=\"region\" aria-label=\"" + caption +
                     "\"><table><caption>" + caption + "</caption><thead><tr>";
  for (std::size_t at = 0; at < table.titles.size(); ++at)
    text += std::string("<th scope=\"col\"") + (table.right[at] ? " class=\"r\">" : ">") + xml_text(table.titles[at]) +
            "</th>";
  text += "</tr></thead><tbody>\n";
  for (const auto& [cells, paint] : table.rows) {
    text += "<tr><th scope=\"row\">" + cells.front() + "</th>";
    for (std::size_t at = 1; at < cells.size(); ++at)
      text += (table.right[at] ? "<td class=\"r\">" : "<td>") + cells[at] + "</td>";
    text += "</tr>\n";
  }
  return text + "</tbody></table></div>\n";
}

// Returns the anchor of the case at this position of PageReports::cases: "c12".
std::string case_anchor(std::size_t position) {
  return "c" + std::to_string(position);
}

std::string link_of(const PageReports& page, std::size_t position) {
  return "<a href=\"#" + case_anchor(position) + "\">" + xml_text(page.named(page.cases[position])) + "</a>";
}

std::string verdict_table(const PageReports& page) {
  Grid table = comparison_grid(page.comparison.value());
  for (Grid::Row& row : table.rows) std::ranges::transform(row.cells, row.cells.begin(), xml_text);
  return html_of("Verdicts", table);
}

std::string speeds_table(const PageReports& page, const PageReference& reference) {
  Grid table{{"case", "machine", "speed", "95 % interval"}, {false, false, true, true}};
  for (const PageSpeeds& one : reference.others) {
    for (const auto& [row, speed] : one.pairs)
      table.rows.push_back({{link_of(page, page.position(page.table.rows[row].cells[one.machine].result)),
                             xml_text(page.machines[one.machine]), format_times(speed.value), interval_text(speed)}});
  }
  return html_of("Speed against " + page.machines[reference.machine], table);
}

std::string rates_table(const PageReports& page) {
  Grid table{{"case", "machine", "speed", "95 % interval"}, {false, false, true, true}};
  for (std::size_t at = 0; at < page.cases.size(); ++at) {
    const schema::CaseResult& result = page.result(page.cases[at]);
    const schema::ValueMetric rate = report::speed_of(result.spec, result.metrics);
    if (rate.value && page.cases[at].is_fastest)
      table.rows.push_back({{link_of(page, at), xml_text(page.machines[page.cases[at].machine]),
                             fmt::format("{} {}/s{}", format_rate(*rate.value), row_of(result.spec.mode).unit,
                                         xml_text(rate_mark(result.metrics.rows_per_second))),
                             interval_text(*rate.value, rate.ci95)}});
  }
  return table.rows.empty() ? "" : html_of("Speed", table);
}

// The columns that the case's name already shows.
constexpr std::string_view kNamed[] = {"model", "mode", "device", "precision", "batch_size", "engine"};

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
  for (const std::string& line : lines_of(text)) lines += xml_text(line) + "\n";
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

// Returns what the first picture shows, as a table: the verdicts, speeds against the usual reference or, if
// there are none, how fast each case is. The script draws the picture in its place.
std::string first_table(const PageReports& page, const std::vector<PageReference>& references) {
  if (page.comparison) return verdict_table(page);
  return references.empty() ? rates_table(page) : speeds_table(page, references.front());
}

// Returns one table per report, with a row per case.
std::string case_tables(const PageReports& page) {
  std::string text;
  std::size_t position = 0;
  for (const schema::Report& report : *page.all) {
    Grid table{{"case"}, {false}};
    std::vector<Column> shown = columns(report);
    std::erase_if(shown, [](const Column& one) {
      return one.title.empty() || std::ranges::find(kNamed, one.key) != std::end(kNamed);
    });
    for (const Column& column : shown) {
      table.titles.push_back(column.title);
      table.right.push_back(column.right);
    }
    for (const CaseResult& result : report.cases) {
      std::vector<std::string>& cells = table.rows.emplace_back().cells;
      cells.push_back(link_of(page, position++) + " <small>" + to_string(result.spec.device) + "</small>");
      for (const Column& column : shown) cells.push_back(xml_text(cell_text(column, result)));
    }
    text += html_of(report_title(report), table);
  }
  return text;
}

// Returns a closed part per case, which says in words what is doubtful about it; the script adds the rest.
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

// Returns a list of facts for each report.
std::string host_lists(const PageReports& page) {
  std::string text;
  for (std::size_t at = 0; at < page.all->size(); ++at)
    text += "<div class=\"card\"><h3>" + xml_text((*page.all)[at].host.name) + "</h3><dl>" +
            facts_of((*page.all)[at], page.compared[at].file) + "</dl></div>\n";
  return text;
}

// Returns the source of TEXT for a content security policy: 'sha256-...', in base 64.
std::string policy_hash(std::string_view text) {
  constexpr std::string_view kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::string hex = base::sha256_hex(text);  // 64 digits: ten groups of six, and four
  std::string hash;
  for (std::size_t at = 0; at < hex.size(); at += 3) {
    const std::string group = hex.substr(at, 3);  // 12 bits: two digits
    std::uint32_t bits = static_cast<std::uint32_t>(std::stoul(group, nullptr, 16));
    bits <<= 4 * (3 - group.size());
    hash += kDigits[bits >> 6U];
    if (group.size() > 1) hash += kDigits[bits & 63U];
  }
  return "'sha256-" + hash + "='";
}

// Makes all texts printable, because a page is also read as text.
void make_printable(nlohmann::ordered_json& value) {
  if (value.is_string()) {
    value = printable(value.get_ref<const std::string&>());
  } else if (value.is_structured()) {
    for (auto& one : value) make_printable(one);
  }
}

// Returns the JSON text for a script element, whose end it cannot contain.
std::string script_json(nlohmann::ordered_json value) {
  make_printable(value);
  std::string text;
  for (const char c : value.dump()) text += c == '<' ? std::string("\\u003c") : std::string(1, c);
  return text;
}

std::string head_of(const std::string& title) {
  return "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src " +
         policy_hash(kPageStyle) + "; script-src " + policy_hash(kPageScript) +
         "; base-uri 'none'; form-action 'none'\">\n"
         "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta name=\"color-scheme\" content=\"light dark\">\n<title>mpsbench: " +
         title + "</title>\n<style>" + std::string(kPageStyle) + "</style>\n</head>\n";
}

std::string section(const std::string& id, const std::string& title, const std::string& html) {
  return html.empty() ? "" : "<section id=\"" + id + "\"><h2>" + title + "</h2>\n" + html + "</section>\n";
}

std::string lines(const std::string& kind, const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& one : words) text += "<p class=\"" + kind + "\">" + xml_text(one) + "</p>\n";
  return text;
}

}  // namespace

std::string to_html(const std::vector<schema::Report>& reports, const std::vector<std::string>& files) {
  const PageReports page = page_reports(reports, files);
  const std::vector<PageReference> references = page_references(page);
  const std::string title = xml_text(page_title(page));
  // The script fills the empty parts, and shows them if it has something for them.
  return head_of(title) + "<body>\n<a class=\"skip\" href=\"#main\">Skip to the figures</a>\n<header>\n<h1>" + title +
         "</h1>\n<p id=\"answer\" aria-live=\"polite\">" + xml_text(page_answer(page, references)) +
         "</p>\n<p class=\"note\">" + xml_text(page_subtitle(page)) +
         "</p>\n</header>\n<main id=\"main\">\n<section id=\"glance\" aria-label=\"At a glance\">\n"
         "<form id=\"choices\" hidden></form>\n<div id=\"picture\">" +
         first_table(page, references) + "</div>\n" + lines("remark", page_remarks(page)) +
         "</section>\n<section id=\"batches\" hidden></section>\n<section id=\"scaling\" "
         "hidden></section>\n" +
         section("cases", "Cases", case_tables(page)) + section("details", "Each case", case_details(page)) +
         section("machines", "Machines", host_lists(page) + lines("note", page.comparability.caveats)) +
         "</main>\n<script type=\"application/json\" id=\"view\">" + script_json(page_view(page, references)) +
         "</script>\n<script>" + std::string(kPageScript) + "</script>\n</body>\n</html>\n";
}

}  // namespace mpsbench::output
