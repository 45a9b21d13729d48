#include "output/export/junit.hpp"

#include "output/console/comparison_table.hpp"
#include "output/console/verdict_words.hpp"
#include "output/text/columns.hpp"
#include "output/text/text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <sstream>
#include <string_view>
#include <vector>

namespace mpsbench::output {
namespace {

using report::CaseComparison;
using report::Verdict;
using schema::CaseResult;
using schema::Report;
using schema::Status;

// The columns that become properties.
constexpr std::string_view kFigures[] = {"step_seconds",    "step_seconds_low", "step_seconds_high",
                                         "rows_per_second", "peak_bytes",       "flags"};

std::string attribute(const std::string& name, const std::string& value) {
  return " " + name + "=\"" + xml_text(value) + "\"";
}

// Jenkins' schema allows three digits at most.
std::string decimal(double seconds) {
  return fmt::format("{:.3f}", seconds);
}

// Whether RESULT is the batch above the largest that ran, which was planned to run out of memory.
bool is_bound(const Report& report, const CaseResult& result) {
  const auto& plan = report.run.planned;
  return std::any_of(plan.begin(), plan.end(),
                     [&](const schema::PlannedCase& planned) { return planned.id == result.id && planned.is_bound; });
}

// Returns the name of the element that says how a case ended, or an empty text if it ended well.
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

// Escapes TEXT line by line, because xml_text() takes one line.
std::string lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::string lines;
  for (std::string line; std::getline(stream, line);) lines += "\n" + xml_text(line);
  return lines;
}

struct TestCase {
  std::string element;  // "failure", "error" or "skipped"; empty if the test passed
  std::string xml;
};

TestCase test_case(const Report& report, const CaseResult& result) {
  const std::string opening = "    <testcase" + attribute("name", result.id) +
                              attribute("classname", result.spec.model + "." + to_string(result.spec.mode)) +
                              attribute("time", decimal(seconds_of(result)));
  const std::string element = element_of(report, result);
  if (element.empty()) return {element, opening + "/>\n"};
  std::string outcome = "<" + element + attribute("message", failure_words(result.status, result.failure));
  if (element == "skipped") {
    outcome += "/>";
  } else {
    outcome += attribute("type", result.failure ? result.failure->kind : to_string(result.status)) + ">" +
               (result.failure ? lines_of(result.failure->detail) : "") + "</" + element + ">";
  }
  return {element, opening + ">" + outcome + "</testcase>\n"};
}

std::string property(const std::string& name, const std::string& value) {
  return value.empty() ? "" : "      <property" + attribute("name", name) + attribute("value", value) + "/>\n";
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
  return text;
}

std::string name_or(const std::string& name, const std::string& otherwise) {
  return name.empty() ? otherwise : name;
}

struct TestSuite {
  std::size_t index = 0;
  std::string name;
  std::string started_at;  // UTC, "2026-11-21T10:02:03Z"
  std::string host;
  double seconds = 0;
};

std::string test_suite(const TestSuite& suite, const std::string& properties, const std::vector<TestCase>& tests) {
  const auto count = [&](const std::string& element) {
    return std::to_string(
        std::count_if(tests.begin(), tests.end(), [&](const TestCase& test) { return test.element == element; }));
  };
  // Without the time zone, which the schema forbids.
  constexpr std::size_t kTimestampLength = std::string_view("2026-11-21T10:02:03").size();
  std::string text =
      "  <testsuite" + attribute("id", std::to_string(suite.index)) + attribute("package", "mpsbench") +
      attribute("name", suite.name) + attribute("timestamp", suite.started_at.substr(0, kTimestampLength)) +
      attribute("hostname", name_or(suite.host, "localhost")) + attribute("tests", std::to_string(tests.size())) +
      attribute("failures", count("failure")) + attribute("errors", count("error")) +
      attribute("skipped", count("skipped")) + attribute("time", decimal(suite.seconds)) + ">\n    <properties>\n" +
      properties + "    </properties>\n";
  for (const TestCase& test : tests) text += test.xml;
  return text + "    <system-out/>\n    <system-err/>\n  </testsuite>\n";
}

std::string document(const std::string& suites) {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n" + suites + "</testsuites>\n";
}

std::string suite_of(const Report& report, std::size_t index) {
  TestSuite suite{index, name_or(report.run.suite, "adhoc"), report.run.started_at, report.host.name};
  std::vector<TestCase> tests;
  for (const CaseResult& result : report.cases) {
    suite.seconds += seconds_of(result);
    tests.push_back(test_case(report, result));
  }
  return test_suite(suite, properties(report), tests);
}

TestCase test_of(const CaseComparison& pair, bool is_open_failure) {
  const std::string name = pair.metric == schema::GatedMetric::step ? pair.id : pair.id + " " + to_string(pair.metric);
  const std::string opening = "    <testcase" + attribute("name", name) + attribute("classname", "mpsbench.compare") +
                              attribute("time", decimal(0));
  const std::string message = attribute("message", verdict_words(pair));
  const bool is_open = pair.verdict == Verdict::undecided || pair.verdict == Verdict::not_compared;
  if (pair.verdict == Verdict::slower || (is_open && is_open_failure))
    return {"failure", opening + "><failure" + message + attribute("type", verdict_word(pair.metric, pair.verdict)) +
                           "></failure></testcase>\n"};
  if (is_open) return {"skipped", opening + "><skipped" + message + "/></testcase>\n"};
  return {"", opening + "/>\n"};
}

}  // namespace

std::string to_junit(const std::vector<Report>& reports) {
  std::string suites;
  for (std::size_t i = 0; i < reports.size(); ++i) suites += suite_of(reports[i], i);
  return document(suites);
}

std::string comparison_junit(const report::Comparison& comparison, bool is_open_failure) {
  std::vector<TestCase> tests;
  for (const CaseComparison& pair : comparison.cases) tests.push_back(test_of(pair, is_open_failure));
  const report::ComparedReport& after = *comparison.after;
  return document(test_suite({0, "compare", after.started_at, after.host.name},
                             property("before", comparison.before->run_id) + property("after", after.run_id), tests));
}

}  // namespace mpsbench::output
