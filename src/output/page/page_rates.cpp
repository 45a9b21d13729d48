#include "output/page/page_rates.hpp"

#include "output/page/page_table.hpp"
#include "output/page/svg_dots.hpp"
#include "output/text/columns.hpp"
#include "output/text/interval_text.hpp"
#include "output/text/quoting.hpp"
#include "output/text/text.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <utility>

namespace mpsbench::output {
namespace {

constexpr std::size_t kMostRows = 30;  // of a chart, headings included, so that it fits a sheet of paper

using Words = std::vector<std::string>;

// Returns what distinguishes the case from others of its network, mode and device.
Words parts_of(const schema::CaseResult& result) {
  const schema::CaseSpec& spec = result.spec;
  Words parts{"batch " + std::to_string(spec.batch_size), to_string(spec.precision)};
  if (result.published) parts.emplace_back("published");
  if (result.status != schema::Status::ok) parts.push_back(to_string(result.status));
  if (has_diverged(result)) parts.emplace_back("diverged");
  if (spec.engine != schema::Engine::eager) parts.push_back(to_string(spec.engine));
  if (spec.dataset != schema::Dataset::synthetic) parts.push_back(to_string(spec.dataset));
  for (std::string& option : options_of(result.id)) parts.push_back(std::move(option));
  return parts;
}

// Returns the parts that ALL have.
Words common_of(const std::vector<Words>& all) {
  Words common = all.front();
  std::erase_if(common, [&all](const std::string& part) {
    return std::ranges::any_of(
        all, [&part](const Words& one) { return std::ranges::find(one, part) == one.end(); });
  });
  return common;
}

DotGroup dots_of(const PageReports& page, const RatedGroup& group, SeriesNames& names) {
  std::vector<Words> all;
  for (const RatedCase& one : group.cases) all.push_back(parts_of(result_of(page, one)));
  const Words common = common_of(all);
  DotGroup dots{group.model, common, {}};
  for (std::size_t at = 0; at < group.cases.size(); ++at) {
    const RatedCase& one = group.cases[at];
    const std::string device = device_of(page, one);
    std::string label = device;
    for (const std::string& part : all[at]) {
      if (std::ranges::find(common, part) == common.end()) label += " · " + part;
    }
    const std::string figure = format_rate(one.rate.value) + " " +
                               interval_text(one.rate.value, one.rate.ci95) +
                               rate_mark(result_of(page, one).metrics.rows_per_second);
    dots.dots.push_back({label, figure, one.rate, names.number(device)});
  }
  return dots;
}

std::string figures_of(const PageReports& page, const std::vector<RatedGroup>& groups) {
  PageTable table{"Rows per second", {"case", "rows/s", "95 % interval"}, {false, true, true}, {}};
  for (const RatedGroup& group : groups) {
    for (const RatedCase& one : group.cases) {
      const auto& ci95 = one.rate.ci95;
      table.rows.push_back(
          {"<a href=\"#" + case_anchor(one.report, one.number) + "\">" +
               breakable(page.named(one.report, one.number)) + "</a>",
           format_rate(one.rate.value) + rate_mark(result_of(page, one).metrics.rows_per_second),
           ci95 ? format_rate(ci95->low) + " … " + format_rate(ci95->high) : kNone});
    }
  }
  return "<details><summary>Figures</summary>" + html_of(table) + "</details>\n";
}

// Returns the first groups that a chart has room for. Adds the number of the other cases to LEFT_OUT.
std::vector<RatedGroup> drawn_groups(const RatedCases& rated, schema::Mode mode, std::size_t& left_out) {
  std::vector<RatedGroup> drawn;
  std::size_t room = kMostRows;
  for (RatedGroup group : rated.groups) {
    if (group.mode != mode) continue;
    const std::size_t count = group.cases.size();
    if (drawn.empty() && count >= room) group.cases.resize(room - 1);
    if (group.cases.size() >= room) {
      left_out += count;
      continue;
    }
    left_out += count - group.cases.size();
    room -= group.cases.size() + 1;
    drawn.push_back(std::move(group));
  }
  return drawn;
}

std::string chart_of(const PageReports& page, const std::vector<RatedGroup>& groups, SeriesNames& names) {
  std::vector<DotGroup> dots;
  for (const RatedGroup& group : groups) dots.push_back(dots_of(page, group, names));
  const std::string title = "Rows per second, " + to_string(groups.front().mode);
  const DotAxis axis{"rows per second", tick_count, std::nullopt};
  return "<figure><figcaption>" + title + "</figcaption>" +
         dot_chart(dots, axis, title + "; the figures are below") + figures_of(page, groups) + "</figure>\n";
}

// Says how many of the page's cases are drawn, and where the others are.
std::string counts_text(const RatedCases& rated, std::size_t left_out) {
  std::size_t grouped = 0;
  for (const RatedGroup& group : rated.groups) grouped += group.cases.size();
  const std::size_t total = grouped + rated.other_batches + rated.other_work + rated.without_time;
  const std::array<std::pair<const char*, std::size_t>, 4> reasons{
      {{"other batch sizes than the fastest", rated.other_batches},
       {"only in the tables", left_out},
       {"published figures of other work than their names say", rated.other_work},
       {"without a time", rated.without_time}}};
  Words missing;
  for (const auto& [reason, count] : reasons) {
    if (count > 0) missing.push_back(fmt::format("{} ({})", reason, count));
  }
  const std::string text = fmt::format("{} of {} cases are drawn.", grouped - left_out, total);
  return missing.empty() ? text : text + fmt::format(" Not drawn: {}.", fmt::join(missing, ", "));
}

std::string failures_list(const PageReports& page) {
  constexpr std::size_t kMostFailures = 12;
  Words failures;
  std::size_t more = 0;
  for (std::size_t at = 0; at < page.all->size(); ++at) {
    const std::vector<schema::CaseResult>& cases = (*page.all)[at].cases;
    for (std::size_t number = 0; number < cases.size(); ++number) {
      const std::string words = failure_words(cases[number].status, cases[number].failure);
      if (words.empty()) continue;
      if (failures.size() < kMostFailures) {
        failures.push_back(page.named(at, number) + ": " + words);
      } else {
        ++more;
      }
    }
  }
  if (failures.empty()) return "";
  if (more > 0) failures.push_back(fmt::format("{} more, in the tables", more));
  return "<p>Failed:</p>\n" + list_of(failures);
}

}  // namespace

std::string rates_section(const PageReports& page, const RatedCases& rated, SeriesNames& names) {
  std::string charts;
  std::size_t left_out = 0;
  for (const schema::ModeRow& mode : schema::ClosedSet<schema::Mode>::kRows) {
    const std::vector<RatedGroup> groups = drawn_groups(rated, mode.value, left_out);
    if (!groups.empty()) charts += chart_of(page, groups, names);
  }
  if (charts.empty()) return "";
  return "<section id=\"rates\"><h2>Rows per second</h2>\n<div class=\"pictures\">\n" + charts +
         "</div>\n<p class=\"note\">Further right is faster. Dots are rows per second of the median step or, "
         "as "
         "marked, of the published mean step or of all rows of measured epochs or loops. Whiskers are their "
         "95 % intervals, up to a factor of 3 from the dot. A hollow dot has no interval. " +
         counts_text(rated, left_out) + "</p>\n" + failures_list(page) + "</section>\n";
}

}  // namespace mpsbench::output
