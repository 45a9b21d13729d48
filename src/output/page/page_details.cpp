#include "output/page/page_details.hpp"

#include "base/units.hpp"
#include "output/page/page_cases.hpp"
#include "output/page/page_distribution.hpp"
#include "output/page/page_table.hpp"
#include "output/page/page_timeline.hpp"
#include "output/page/svg_scale.hpp"
#include "output/text/columns.hpp"
#include "output/text/quoting.hpp"
#include "output/text/text.hpp"
#include "report/metrics/flags.hpp"
#include "stats/summary.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

namespace mpsbench::output {
namespace {

constexpr std::size_t kMostPoints = 400;    // in the timeline of a launch
constexpr std::size_t kAllPoints = 36'000;  // in a page, so that it stays small
constexpr std::size_t kLeastPoints = 50;

std::size_t points_a_launch(const PageReports& page) {
  std::size_t launches = 1;
  for (const schema::Report& report : *page.all) {
    for (const schema::CaseResult& result : report.cases) launches += result.launches.size();
  }
  return std::clamp(kAllPoints / launches, kLeastPoints, kMostPoints);
}

std::string time_or_none(const std::optional<double>& seconds) {
  return seconds ? base::format_duration(*seconds) : kNone;
}

// Returns the largest reading of the GPU's sensor or, if the launch does not have it, of the CPU's.
std::optional<double> greatest(const schema::Launch& launch, const char* gpu, const char* cpu) {
  for (const char* name : {gpu, cpu}) {
    for (const schema::SensorRecord& record : launch.sensors) {
      if (record.name == name) return record.max.value_or(record.value);
    }
  }
  return std::nullopt;
}

std::string share_text(const std::optional<double>& share) {
  return share ? fmt::format("{:.1f} %", *share * 100) : kNone;
}

std::vector<std::string> launch_row(const schema::Launch& launch) {
  namespace sensor = schema::sensor;
  const std::vector<double>& samples = launch.samples_seconds;
  const auto clock = greatest(launch, sensor::kGpuClock, sensor::kCpuClock);
  const auto heat = greatest(launch, sensor::kGpuTemperature, sensor::kCpuTemperature);
  std::string end = launch.status == schema::Status::ok ? launch.stopped_by : to_string(launch.status);
  if (launch.disturbed) end += ", disturbed: " + to_string(*launch.disturbed);
  if (!launch.unmet.empty()) end += fmt::format(" (not reached: {})", fmt::join(launch.unmet, ", "));
  return {launch_name(launch),
          time_or_none(stats::median(samples)),
          time_or_none(stats::minimum(samples)),
          time_or_none(stats::maximum(samples)),
          fmt::format("{} × {}", samples.size(), launch.steps_per_sample),
          std::to_string(launch.warmup_samples_seconds.size()),
          time_or_none(launch.first_step_seconds),
          report::is_throttled(launch) ? "yes"
          : launch.sensors.empty()     ? kNone
                                       : "no",
          clock ? tick_count(*clock) + "Hz" : kNone,
          heat ? fmt::format("{:.0f} °C", *heat) : kNone,
          share_text(schema::sensor_value(launch.sensors, sensor::kOtherCpuShare)),
          xml_text(end)};
}

std::string launches_table(const schema::CaseResult& result) {
  PageTable table{"Launches",
                  {"launch", "median", "min", "max", "windows × steps", "warm-up", "first step", "throttled",
                   "clock", "hottest", "other load", "ended by"},
                  {true, true, true, true, true, true, true, false, true, true, true, false},
                  {}};
  for (const schema::Launch& launch : result.launches) table.rows.push_back(launch_row(launch));
  return html_of(table);
}

// NAME is the case's, so that no two captions of a page are the same.
std::string charts_of(const schema::CaseResult& result, const std::string& name, std::size_t most_points) {
  std::vector<NumberedSamples> steps;
  std::vector<NumberedSamples> latencies;
  for (const schema::Launch& launch : result.launches) {
    steps.push_back({launch_name(launch), launch.samples_seconds});
    latencies.push_back({launch_name(launch), launch.latency_samples_seconds});
  }
  const auto figure = [&name](const std::string& caption, const std::string& svg) {
    return svg.empty() ? ""
                       : "<figure><figcaption>" + breakable(name) + ": " + caption + "</figcaption>" + svg +
                             "</figure>\n";
  };
  const bool throttled = std::any_of(result.launches.begin(), result.launches.end(), report::is_throttled);
  return "<div class=\"charts\">" +
         figure("samples of each launch", distribution_chart(steps, "time per step")) +
         figure(std::string("samples in the order they were taken; warm-up is shaded and not to scale") +
                    (throttled ? "; a red bar above marks throttled launches" : ""),
                timeline_chart(result, most_points)) +
         figure("latency, waiting for every step", distribution_chart(latencies, "latency")) + "</div>\n";
}

// Returns TEXT as preformatted lines.
std::string preformatted(const std::string& text) {
  if (text.empty()) return "";
  std::string lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    lines += xml_text(text.substr(begin, end - begin)) + "\n";
    begin = end + 1;
  }
  return "<pre>" + lines + "</pre>\n";
}

std::string published_text(const schema::Published& published) {
  std::vector<std::string> lines{"published: " + published.source};
  for (const std::string& name : published.cautions) {
    const schema::Caution* caution = schema::find_caution(name);
    lines.push_back(name + (caution != nullptr ? ": " + caution->meaning : ""));
  }
  if (!published.remark.empty()) lines.push_back(published.remark);
  return list_of(lines);
}

// Returns VALUE with six digits; the CSV export has all digits.
std::string figure_text(const Value& value) {
  const auto* number = std::get_if<double>(&value);
  return number != nullptr ? fmt::format("{:.6g}", *number) : xml_text(plain_text(value));
}

bool is_in_id(const Column& column) {
  constexpr std::array<const char*, 8> kInId{"id",        "model",      "mode",   "device",
                                             "precision", "batch_size", "engine", "dataset"};
  return std::any_of(kInId.begin(), kInId.end(), [&](const char* key) { return column.key == key; });
}

std::string figures_of(const schema::CaseResult& result, const std::vector<Column>& all) {
  std::string rows;
  for (const Column& column : all) {
    if (is_in_id(column)) continue;
    const std::string text = figure_text(column.value(result));
    if (!text.empty()) rows += "<dt>" + column.key + "<dd>" + text;  // HTML does not need the end tags
  }
  std::string text = "<details><summary>All figures</summary><dl class=\"figures\">" + rows + "</dl>";
  std::vector<std::string> notes;
  for (const auto& [key, note] : result.notes) notes.push_back(key + ": " + note);
  return text + list_of(notes) + "</details>\n";
}

std::string summary_of(const PageReports& page, std::size_t at, std::size_t number) {
  const schema::CaseResult& result = (*page.all)[at].cases[number];
  const bool has_time = middle_of(result, result.metrics.step_seconds).has_value();
  return "<summary>" + breakable(page.named(at, number)) +
         (has_time ? " <b>" + xml_text(step_text(result)) + "</b>" : "") + " " + remarks_html(result) +
         "</summary>";
}

}  // namespace

std::string details_section(const PageReports& page) {
  const std::size_t most_points = points_a_launch(page);
  std::string text = "<section id=\"details\"><h2>Each case</h2>\n";
  for (std::size_t at = 0; at < page.all->size(); ++at) {
    const schema::Report& report = (*page.all)[at];
    const std::vector<Column> all = columns(report);
    for (std::size_t number = 0; number < report.cases.size(); ++number) {
      const schema::CaseResult& result = report.cases[number];
      // Browsers open these details when a link leads to the part inside.
      text += "<details class=\"case\">" + summary_of(page, at, number) + "<div id=\"" +
              case_anchor(at, number) + "\">\n";
      if (!result.launches.empty())
        text += charts_of(result, page.named(at, number), most_points) + launches_table(result);
      if (result.failure) text += preformatted(result.failure->detail);
      if (result.published) text += published_text(*result.published);
      text += figures_of(result, all) + "</div></details>\n";
    }
  }
  return text + "</section>\n";
}

}  // namespace mpsbench::output
