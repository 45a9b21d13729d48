#include "output/export/export_formats.hpp"

#include "base/error.hpp"
#include "base/json_file.hpp"
#include "base/units.hpp"
#include "output/console/comparison_table.hpp"
#include "output/console/console_table.hpp"
#include "output/console/machines_table.hpp"
#include "output/export/exporters.hpp"
#include "output/page/page_view.hpp"
#include "output/text/figures.hpp"
#include "output/text/text.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

namespace mpsbench::output {
namespace {

using nlohmann::ordered_json;
using schema::Report;
using Reports = std::vector<Report>;

bool same_host(const Reports& reports) {
  return std::ranges::all_of(reports,
                             [&](const Report& report) { return report.host.name == reports.front().host.name; });
}

template <std::string (*Write)(const Report&)>
std::string of_joined(const Reports& reports) {
  return Write(joined(reports));
}

// The format has room for one machine.
std::string google_benchmark(const Reports& reports) {
  if (!same_host(reports))
    throw base::usage_error("--format google-benchmark: holds one host; export the reports of " +
                            base::excerpt(reports.front().host.name) + " and of other hosts one by one");
  return to_google_benchmark(joined(reports));
}

std::string whole_report(const Reports& reports) {
  if (reports.size() > 1) throw base::usage_error("--format json: holds one report; join several with mpsbench merge");
  return to_json_text(reports.front());
}

// Returns TABLE of each report, below HEADING if there are several.
std::string each(const Reports& reports, std::string (*heading)(const Report&), std::string (*table)(const Report&)) {
  std::string text;
  for (const Report& report : reports) {
    if (reports.size() > 1) text += (text.empty() ? "" : "\n") + heading(report) + "\n\n";
    text += table(report);
  }
  return text;
}

std::string tables(const Reports& reports) {
  return each(
      reports, [](const Report& report) { return printable(report.host.name + ", " + report.run.started_at); },
      [](const Report& report) { return console_report(report, false); });
}

std::string markdown_tables(const Reports& reports) {
  return each(
      reports,
      [](const Report& report) {
        return "**" + markdown_cell(report.host.name) + "**, " + markdown_cell(report.run.started_at);
      },
      to_markdown);
}

std::string noted(const std::vector<std::string>& notes) {
  std::string text;
  for (const std::string& note : notes) text += "note: " + printable(note) + "\n";
  return text;
}

std::string noted_in_markdown(const std::vector<std::string>& notes) {
  std::string text = notes.empty() ? "" : "\n";
  for (const std::string& note : notes) text += "- " + printable(note) + "\n";
  return text;
}

std::string comparison_table(const ComparisonDocument& of) {
  return sides_words(of.comparison) + aligned(comparison_grid(of.comparison), of.is_coloured) +
         comparison_summary(of.comparison) + noted(of.notes);
}

std::string comparison_markdown(const ComparisonDocument& of) {
  return sides_words(of.comparison) + "\n" + markdown(comparison_grid(of.comparison)) + "\n" +
         comparison_summary(of.comparison) + noted_in_markdown(of.notes);
}

std::string texts_of(const ordered_json& list) {
  return listed(list.get<std::vector<std::string>>(), {", "});
}

std::string list_cell(const ordered_json& value) {
  if (value.empty()) return kNone;  // null or an empty list; a text is not empty() in JSON
  if (value.is_array()) return texts_of(value);
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_number_integer()) return base::format_count(value.get<std::int64_t>());
  if (value.is_number()) return base::format_significant(value.get<double>(), 3);
  return value.get<std::string>();
}

Grid list_grid(const ordered_json& entries) {
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

std::string list_csv(const ordered_json& entries) {
  std::vector<ordered_json> rows(entries.begin(), entries.end());
  for (ordered_json& row : rows) {
    for (ordered_json& value : row) {
      if (value.is_array()) value = texts_of(value);
    }
  }
  return csv_of(rows);
}

std::string list_json_lines(const ordered_json& entries) {
  std::string text;
  for (const ordered_json& entry : entries) text += base::to_text(entry) + "\n";
  return text;
}

}  // namespace

Report joined(const Reports& reports) {
  const bool one_host = same_host(reports);
  Report all{reports.front().tool, reports.front().run, reports.front().host, {}};
  std::set<std::string> names;
  for (const Report& report : reports) {
    for (schema::CaseResult result : report.cases) {
      if (!one_host) result.id += "@" + report.host.name;
      // Compares the names as they are printed, because two hostile names may look the same.
      if (!names.insert(printable(result.id)).second)
        throw base::usage_error("two cases have the name " + base::excerpt(result.id) +
                                "; join the reports with mpsbench merge, or export them one by one");
      all.cases.push_back(std::move(result));
    }
  }
  return all;
}

// NOLINTNEXTLINE(readability-function-size): a table
const std::vector<ExportFormat>& export_formats() {
  static const std::vector<ExportFormat> kFormats{
      {.name = "table",
       .help = "aligned text, for people",
       .ending = ".txt",
       .report = tables,
       .comparison = comparison_table,
       .machines =
           [](const MachinesDocument& of) {
             return machines_table(of.summary, of.is_coloured, of.width) + noted(of.notes);
           },
       .list = [](const ordered_json& entries) { return aligned(list_grid(entries), false); }},
      {.name = "md",
       .help = "a table of Markdown",
       .ending = ".md",
       .report = markdown_tables,
       .comparison = comparison_markdown,
       .machines =
           [](const MachinesDocument& of) { return machines_markdown(of.summary) + noted_in_markdown(of.notes); },
       .list = [](const ordered_json& entries) { return entries.empty() ? "" : markdown(list_grid(entries)); }},
      {.name = "csv",
       .help = "a line per case or entry, for spreadsheets",
       .ending = ".csv",
       .report = of_joined<to_csv>,
       .comparison = [](const ComparisonDocument& of) { return comparison_csv(of.comparison); },
       .machines = [](const MachinesDocument& of) { return machines_csv(of.table); },
       .list = list_csv,
       .has_place_for_notes = false},
      {.name = "json",
       .help = "one JSON document: of a run, its report",
       .ending = ".json",
       .report = whole_report,
       .comparison = [](const ComparisonDocument& of) { return comparison_json(of.comparison, of.notes); },
       .machines = [](const MachinesDocument& of) { return machines_json(of.table, of.summary, of.notes); },
       .list = [](const ordered_json& entries) { return base::to_text(entries, 1) + "\n"; }},
      {.name = "jsonl",
       .help = "a JSON object per line: of a report, its cases",
       .ending = ".jsonl",
       .report = of_joined<to_json_lines>,
       .list = list_json_lines},
      {.name = "html",
       .help = "one page with tables and charts, for a browser",
       .ending = ".html",
       .report = [](const Reports& reports) { return to_html(reports); },
       .named_report = to_html},
      {.name = "junit",
       .help = "test results in JUnit's XML: a comparison's verdicts, or a report's statuses",
       .ending = ".xml",
       .report = to_junit,
       .comparison = [](const ComparisonDocument& of) { return comparison_junit(of.comparison, of.is_open_failure); },
       .has_place_for_notes = false},
      {.name = "google-benchmark",
       .help = "the JSON of Google Benchmark, for its compare.py",
       .ending = ".json",
       .report = google_benchmark},
      {.name = "github-action",
       .help = "the JSON that the GitHub Action \"benchmark\" reads",
       .ending = ".json",
       .report = of_joined<to_github_action>,
       .leaves_out = true},
      {.name = "bencher",
       .help = "the JSON of bencher.dev",
       .ending = ".json",
       .report = of_joined<to_bencher>,
       .leaves_out = true}};
  return kFormats;
}

const ExportFormat* find_format(std::string_view name) {
  const auto& formats = export_formats();
  const auto found = std::ranges::find(formats, name, &ExportFormat::name);
  return found != formats.end() ? &*found : nullptr;
}

const ExportFormat* format_of_file(const std::string& file) {
  std::string ending = std::filesystem::path(file).extension().string();
  std::ranges::transform(ending, ending.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  const auto& formats = export_formats();
  const auto found = std::ranges::find(formats, ending, &ExportFormat::ending);
  return found != formats.end() ? &*found : nullptr;
}

std::vector<std::string> documents_of(const ExportFormat& format) {
  std::vector<std::string> documents;
  if (format.report != nullptr) documents.emplace_back("report");
  if (format.comparison != nullptr) documents.emplace_back("comparison");
  if (format.machines != nullptr) documents.emplace_back("machines");
  if (format.list != nullptr) documents.emplace_back("list");
  return documents;
}

}  // namespace mpsbench::output
