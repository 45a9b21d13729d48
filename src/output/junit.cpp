#include "output/junit.hpp"

#include "output/columns.hpp"
#include "output/quoting.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <sstream>
#include <string_view>

namespace mpsbench::output {
namespace {

using schema::CaseResult;
using schema::Report;
using schema::Status;

// Columns that become properties.
constexpr std::string_view kFigures[] = {"step_seconds",    "step_seconds_low", "step_seconds_high",
                                         "rows_per_second", "peak_bytes",       "flags"};

std::string attribute(const std::string& name, const std::string& value) {
  return " " + name + "=\"" + xml_text(value) + "\"";
}

// Jenkins' schema allows no more digits.
std::string decimal(double seconds) {
  return fmt::format("{:.3f}", seconds);
}

// Whether RESULT was planned to run out of memory: the batch above the largest that ran.
bool is_bound(const Report& report, const CaseResult& result) {
  const auto& plan = report.run.plan;
  return std::any_of(plan.begin(), plan.end(), [&](const schema::PlannedCase& planned) {
    return planned.id == result.id && planned.is_bound;
  });
}

// The element that says how a case ended; "" for a good one.
std::string element_of(const Report& report, const CaseResult& result) {
  switch (result.status) {
    case Status::ok:
      return "";
    case Status::oom:
      return is_bound(report, result) ? "skipped" : "failure";
    case Status::timeout:
    case Status::failed:
      return "failure";
    case Status::crashed:
      return "error";
    case Status::unsupported:
    case Status::skipped:
    case Status::interrupted:
      return "skipped";
  }
  return "";
}

double seconds_of(const CaseResult& result) {
  double seconds = 0;
  for (const schema::Launch& launch : result.launches) seconds += launch.wall_seconds;
  return seconds;
}

// The detail's lines: xml_text() takes one line.
std::string lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::string lines;
  for (std::string line; std::getline(stream, line);) lines += "\n" + xml_text(line);
  return lines;
}

std::string test_case(const Report& report, const CaseResult& result) {
  const std::string opening = "    <testcase" + attribute("name", result.id) +
                              attribute("classname", result.spec.model + "." + to_string(result.spec.mode)) +
                              attribute("time", decimal(seconds_of(result)));
  const std::string element = element_of(report, result);
  if (element.empty()) return opening + "/>\n";
  std::string outcome = "<" + element + attribute("message", failure_words(result.status, result.failure));
  if (element == "skipped") {
    outcome += "/>";
  } else {
    outcome += attribute("type", result.failure ? result.failure->kind : to_string(result.status)) + ">" +
               (result.failure ? lines_of(result.failure->detail) : "") + "</" + element + ">";
  }
  return opening + ">" + outcome + "</testcase>\n";
}

std::string property(const std::string& name, const std::string& value) {
  return value.empty() ? ""
                       : "      <property" + attribute("name", name) + attribute("value", value) + "/>\n";
}

std::string properties(const Report& report) {
  const schema::HostInfo& host = report.host;
  std::string text = property("mpsbench", report.tool.version) + property("run", report.run.id) +
                     property("cpu", host.cpu.model) + property("os", host.os.name + " " + host.os.version);
  if (host.libtorch) text += property("libtorch", host.libtorch->version);
  for (const Column& column : columns(report)) {
    if (std::find(std::begin(kFigures), std::end(kFigures), column.key) == std::end(kFigures)) continue;
    for (const CaseResult& result : report.cases)
      text += property(result.id + " " + column.key, plain_text(column.value(result)));
  }
  return "    <properties>\n" + text + "    </properties>\n";
}

std::string name_or(const std::string& name, const std::string& otherwise) {
  return name.empty() ? otherwise : name;
}

std::string test_suite(const Report& report, std::size_t index) {
  const auto count = [&](const std::string& element) {
    return std::to_string(
        std::count_if(report.cases.begin(), report.cases.end(),
                      [&](const CaseResult& result) { return element_of(report, result) == element; }));
  };
  double seconds = 0;
  for (const CaseResult& result : report.cases) seconds += seconds_of(result);
  // Without the time zone, which the schema forbids: it is UTC.
  constexpr std::size_t kTimestampLength = std::string_view("2026-11-21T10:02:03").size();
  std::string text =
      "  <testsuite" + attribute("id", std::to_string(index)) + attribute("package", "mpsbench") +
      attribute("name", name_or(report.run.suite, "adhoc")) +
      attribute("timestamp", report.run.started_at.substr(0, kTimestampLength)) +
      attribute("hostname", name_or(report.host.name, "localhost")) +
      attribute("tests", std::to_string(report.cases.size())) + attribute("failures", count("failure")) +
      attribute("errors", count("error")) + attribute("skipped", count("skipped")) +
      attribute("time", decimal(seconds)) + ">\n" + properties(report);
  for (const CaseResult& result : report.cases) text += test_case(report, result);
  return text + "    <system-out/>\n    <system-err/>\n  </testsuite>\n";
}

}  // namespace

std::string to_junit(const std::vector<Report>& reports) {
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n";
  for (std::size_t i = 0; i < reports.size(); ++i) text += test_suite(reports[i], i);
  return text + "</testsuites>\n";
}

}  // namespace mpsbench::output
