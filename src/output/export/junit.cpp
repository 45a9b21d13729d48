#include "output/console/comparison_table.hpp"
#include "output/export/exporters.hpp"
#include "output/text/cases.hpp"
#include "output/text/columns.hpp"
#include "output/text/text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string_view>

namespace mpsbench::output {
namespace {

using report::CaseComparison;
using report::Verdict;
using schema::CaseResult;
using schema::Report;
using schema::Status;

// The columns that become properties.
constexpr std::string_view kFigures[] = {
    "step_seconds", "step_seconds_low", "step_seconds_high", "rows_per_second", "tokens_per_second", "peak_bytes",
    "flags"};

std::string attribute(const std::string& name, const std::string& value) {
  return " " + name + "=\"" + xml_text(value) + "\"";
}

// Jenkins' schema allows three digits at most.
std::string decimal(double seconds) {
  return fmt::format("{:.3f}", seconds);
}

// Whether RESULT is the batch above the largest that ran, which was planned to run out of memory.
bool is_bound(const Report& report, const CaseResult& result) {
  return std::ranges::any_of(report.run.planned, [&](const schema::PlannedCase& planned) {
    return planned.id == result.id && planned.is_bound;
  });
}

// How a test ended.
struct Ending {
  std::string element;  // "failure", "error" or "skipped"; empty if the test passed
  std::string message;
  std::string type = "";
  std::string detail = "";
};

std::string element_of(const Report& report, const CaseResult& result) {
  const Status status = result.status;
  if (status == Status::ok) return "";
  if (status == Status::crashed) return "error";
  const bool has_failed =
      status == Status::timeout || status == Status::failed || (status == Status::oom && !is_bound(report, result));
  return has_failed ? "failure" : "skipped";
}

double seconds_of(const CaseResult& result) {
  double seconds = 0;
  for (const schema::Launch& launch : result.launches) seconds += launch.wall_seconds;
  return seconds;
}

struct TestCase {
  std::string element;  // of its ending
  std::string xml;
};

TestCase test_case(const std::string& name, const std::string& class_name, double seconds, const Ending& ending) {
  const auto& [element, message, type, detail] = ending;
  std::string xml = "    <testcase" + attribute("name", name) + attribute("classname", class_name) +
                    attribute("time", decimal(seconds));
  if (element.empty()) return {element, xml + "/>\n"};
  xml += "><" + element + attribute("message", message);
  if (element == "skipped") return {element, xml + "/></testcase>\n"};
  xml += attribute("type", type) + ">";
  // Line by line, because xml_text() takes one line.
  for (const std::string& line : lines_of(detail)) xml += "\n" + xml_text(line);
  return {element, xml + "</" + element + "></testcase>\n"};
}

TestCase test_of(const Report& report, const CaseResult& result) {
  return test_case(
      result.id, result.spec.model + "." + to_string(result.spec.mode), seconds_of(result),
      {element_of(report, result), failure_words(result.status, result.failure),
       result.failure ? result.failure->kind : to_string(result.status), result.failure ? result.failure->detail : ""});
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
    if (std::ranges::find(kFigures, column.key) == std::end(kFigures)) continue;
    for (const CaseResult& result : report.cases)
      text += property(result.id + " " + column.key, plain_text(column.value(result)));
  }
  return text;
}

// What a test suite says of itself.
struct TestSuite {
  std::size_t index = 0;
  std::string name;
  std::string started_at;  // UTC, "2026-11-21T10:02:03Z"
  std::string host;
  double seconds = 0;
};

std::string test_suite(const TestSuite& suite, const std::string& properties, const std::vector<TestCase>& tests) {
  const auto count = [&](const char* element) {
    return std::to_string(std::ranges::count(tests, element, &TestCase::element));
  };
  // Without the time zone, which the schema forbids.
  constexpr std::size_t kTimestampLength = std::string_view("2026-11-21T10:02:03").size();
  std::string text =
      "  <testsuite" + attribute("id", std::to_string(suite.index)) + attribute("package", "mpsbench") +
      attribute("name", suite.name) + attribute("timestamp", suite.started_at.substr(0, kTimestampLength)) +
      attribute("hostname", suite.host.empty() ? "localhost" : suite.host) +
      attribute("tests", std::to_string(tests.size())) + attribute("failures", count("failure")) +
      attribute("errors", count("error")) + attribute("skipped", count("skipped")) +
      attribute("time", decimal(suite.seconds)) + ">\n    <properties>\n" + properties + "    </properties>\n";
  for (const TestCase& test : tests) text += test.xml;
  return text + "    <system-out/>\n    <system-err/>\n  </testsuite>\n";
}

std::string document(const std::string& suites) {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n" + suites + "</testsuites>\n";
}

TestCase test_of(const CaseComparison& pair, bool is_open_failure) {
  const std::string name = pair.metric == schema::GatedMetric::step ? pair.id : pair.id + " " + to_string(pair.metric);
  const bool is_open = pair.verdict == Verdict::undecided || pair.verdict == Verdict::not_compared;
  const bool has_failed = pair.verdict == Verdict::slower || (is_open && is_open_failure);
  return test_case(name, "mpsbench.compare", 0,
                   {has_failed ? "failure"
                    : is_open  ? "skipped"
                               : "",
                    verdict_words(pair), verdict_word(pair.metric, pair.verdict)});
}

}  // namespace

std::string to_junit(const std::vector<Report>& reports) {
  std::string suites;
  for (std::size_t i = 0; i < reports.size(); ++i) {
    const Report& report = reports[i];
    TestSuite suite{i, report.run.suite.empty() ? "adhoc" : report.run.suite, report.run.started_at, report.host.name};
    std::vector<TestCase> tests;
    for (const CaseResult& result : report.cases) {
      suite.seconds += seconds_of(result);
      tests.push_back(test_of(report, result));
    }
    suites += test_suite(suite, properties(report), tests);
  }
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
