#include "output/page/page_glance.hpp"

#include "base/units.hpp"
#include "output/text/columns.hpp"
#include "output/text/interval_text.hpp"
#include "output/text/quoting.hpp"
#include "stats/summary.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace mpsbench::output {
namespace {

using report::Speed;

// Returns text such as "3.1 times as fast as A in the median of 4 shared cases (range of
// the cases: 2.80× … 3.30×)".
std::string against(const std::string& other, const std::vector<Speed>& speeds) {
  std::vector<double> values;
  for (const Speed& speed : speeds) values.push_back(speed.value);
  std::ranges::sort(values);
  const double median = stats::sorted_quantile(values, 0.5);
  const std::string times = base::format_significant(median, 2);
  std::string text = (times == "1.0" ? "" : times + " times ") + "as fast as " + other;
  if (speeds.size() > 1)
    return text + fmt::format(" in the median of {} shared cases (range of the cases: {})", speeds.size(),
                              format_factors(values.front(), values.back()));
  text += " in the one shared case";
  const auto& ci95 = speeds.front().ci95;
  return ci95 ? text + " (95 % interval " + format_factors(ci95->low, ci95->high) + ")" : text;
}

std::string paragraph(const std::string& words) {
  return "<p>" + xml_text(words) + "</p>";
}

// Compares the report's other devices with its CPU.
std::string against_cpu(const PageReports& page, std::size_t at) {
  std::string text;
  for (const report::MachineColumn& column : page.machines.columns) {
    if (column.report != &page.compared[at]) continue;
    std::vector<Speed> speeds;
    for (const report::SpeedUps& family : page.machines.speed_ups) {
      if (family.column.report != column.report || family.column.device != column.device) continue;
      for (const report::SpeedUp& one : family.by_batch) speeds.push_back(one.speed);
    }
    if (!speeds.empty()) text += paragraph(to_string(column.device) + ": " + against("the CPU", speeds));
  }
  return text;
}

// Compares the report with that of the base, each with its fastest device.
std::string against_base(const PageReports& page, std::size_t at, const PageSpeeds& base) {
  const report::MachineTable& table = page.machines;
  const report::ComparedReport* first = table.columns[base.base].report;
  if (first == &page.compared[at]) return "";
  std::vector<Speed> speeds;
  for (const report::MachineRow& row : table.rows) {
    const auto slow = fastest_column(table, row, first);
    const auto fast = fastest_column(table, row, &page.compared[at]);
    if (!slow || !fast) continue;
    if (const auto speed = report::speed_of(row.cells[*slow].result, row.cells[*fast].result))
      speeds.push_back(*speed);
  }
  if (speeds.empty()) return paragraph("No case in common with " + first->file);
  const bool has_several = std::ranges::count(table.columns, first, &report::MachineColumn::report) > 1;
  return paragraph(against(first->file + (has_several ? "'s fastest device" : ""), speeds));
}

const RatedCase* headline_of(const PageReports& page, const RatedCases& rated, std::size_t report) {
  for (const RatedGroup& group : rated.groups) {
    const auto found = std::ranges::find_if(group.cases, [&](const RatedCase& one) {
      const schema::CaseResult& result = result_of(page, one);
      return one.report == report && result.status == schema::Status::ok && !has_diverged(result);
    });
    if (found != group.cases.end()) return &*found;
  }
  return nullptr;
}

std::string rate_html(const PageReports& page, const RatedCase& one) {
  const schema::CaseResult& result = result_of(page, one);
  const schema::CaseSpec& spec = result.spec;
  return "<p class=\"big\">" + format_rate(one.rate.value) + " <small>rows/s " +
         interval_text(one.rate.value, one.rate.ci95) + rate_mark(result.metrics.rows_per_second) +
         "</small></p><p><a href=\"#" + case_anchor(one.report, one.number) + "\">" + xml_text(spec.model) +
         ", " + to_string(spec.mode) + "</a>, batch " + std::to_string(spec.batch_size) + ", " +
         to_string(spec.precision) + (result.published ? ", published" : "") + "</p>";
}

std::string card_of(const PageReports& page, std::size_t at, const RatedCases& rated,
                    const std::optional<PageSpeeds>& speeds) {
  const RatedCase* headline = headline_of(page, rated, at);
  std::string text = headline != nullptr ? rate_html(page, *headline) : "";
  text += against_cpu(page, at);
  if (speeds && page.several()) text += against_base(page, at, *speeds);
  if (text.empty()) text = paragraph("No time that can be compared");
  const std::string title = headline != nullptr
                                ? device_of(page, *headline)
                                : (page.several() ? page.letters[at] + " " : "") + (*page.all)[at].host.name;
  return "<div class=\"card\"><h2>" + xml_text(title) + "</h2>" + text + "</div>\n";
}

}  // namespace

std::string glance_section(const PageReports& page, const RatedCases& rated,
                           const std::optional<PageSpeeds>& speeds) {
  std::string cards;
  for (std::size_t at = 0; at < page.all->size(); ++at) cards += card_of(page, at, rated, speeds);
  return "<section id=\"glance\" class=\"glance\" aria-label=\"At a glance\">\n" + cards + "</section>\n";
}

}  // namespace mpsbench::output
