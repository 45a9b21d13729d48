#include "output/export/exporters.hpp"
#include "support/compared.hpp"
#include "support/errors.hpp"
#include "support/exported.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace mpsbench::output {
namespace {

using schema::Status;
using tests::contains;

TEST(Junit, Golden) {
  EXPECT_EQ(to_junit({tests::exported_report()}), R"xml(<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
  <testsuite id="0" package="mpsbench" name="adhoc" timestamp="2026-11-21T10:02:00" hostname="epyc-0a1b" tests="2" failures="1" errors="0" skipped="0" time="9.000">
    <properties>
      <property name="mpsbench" value="0.1.0"/>
      <property name="run" value="0123456789abcdef"/>
      <property name="cpu" value="AMD EPYC"/>
      <property name="os" value="Debian GNU/Linux 12"/>
      <property name="libtorch" value="2.13.0+cpu"/>
      <property name="mlp/train/cpu/b64/fp32/eager/synthetic step_seconds" value="0.375"/>
      <property name="mlp/train/cpu/b64/fp32/eager/synthetic step_seconds_low" value="0.25"/>
      <property name="mlp/train/cpu/b64/fp32/eager/synthetic step_seconds_high" value="0.5"/>
      <property name="mlp/train/cpu/b64/fp32/eager/synthetic rows_per_second" value="192"/>
      <property name="mlp/train/cpu/b64/fp32/eager/synthetic flags" value="noisy"/>
    </properties>
    <testcase name="mlp/train/cpu/b64/fp32/eager/synthetic" classname="mlp.train" time="8.000"/>
    <testcase name="mlp/train/cpu/b128/fp32/eager/synthetic" classname="mlp.train" time="1.000"><failure message="out of memory (needs 2 GiB, 1 free)" type="oom">
line 1
line 2</failure></testcase>
    <system-out/>
    <system-err/>
  </testsuite>
</testsuites>
)xml");
}

TEST(Junit, AnElementForEachStatus) {
  const std::vector<std::pair<Status, std::string>> expected{
      {Status::oom, "failure"},        {Status::timeout, "failure"},     {Status::failed, "failure"},
      {Status::crashed, "error"},      {Status::unsupported, "skipped"}, {Status::skipped, "skipped"},
      {Status::interrupted, "skipped"}};
  for (const auto& [status, element] : expected) {
    schema::Report report = tests::exported_report();
    report.cases[1].status = status;
    const std::string text = to_junit({report});
    EXPECT_TRUE(contains(text, "><" + element + " message=\"")) << to_string(status);
    EXPECT_TRUE(contains(text, element == "skipped" ? "skipped=\"1\"" : element + "s=\"1\"")) << text;
  }
}

TEST(Junit, TheBatchAboveTheLargestIsNoFailure) {
  schema::Report report = tests::exported_report();
  schema::PlannedCase planned;
  planned.id = report.cases[1].id;
  planned.is_bound = true;
  report.run.planned = {planned};
  EXPECT_TRUE(contains(to_junit({report}), "failures=\"0\" errors=\"0\" skipped=\"1\""));
  report.run.planned[0].is_bound = false;
  EXPECT_TRUE(contains(to_junit({report}), "failures=\"1\" errors=\"0\" skipped=\"0\""));
}

TEST(Junit, ASuiteForEachReport) {
  const std::string text = to_junit({tests::exported_report(), tests::exported_report()});
  EXPECT_TRUE(contains(text, "<testsuite id=\"0\""));
  EXPECT_TRUE(contains(text, "<testsuite id=\"1\""));
}

TEST(Junit, AComparisonFailsWhereItIsSlower) {
  const std::vector<double> steady{1, 1.001, 0.999, 1, 1.001};
  const auto scaled = [&](double factor) {
    std::vector<double> values = steady;
    for (double& value : values) value *= factor;
    return values;
  };
  const report::ComparedReport before = tests::compared_report(
      "a.json", {tests::compared_case("a/train/cpu/b1", steady), tests::compared_case("b/train/cpu/b1", steady),
                 tests::compared_case("c/train/cpu/b1", steady), tests::compared_case("<d>/train/cpu/b1", steady)});
  const report::ComparedReport after =
      tests::compared_report("b.json", {tests::compared_case("a/train/cpu/b1", scaled(1.1)),
                                        tests::compared_case("b/train/cpu/b1", scaled(0.9)),
                                        tests::compared_case("c/train/cpu/b1", {1, 1.5, 0.7})});
  const report::Comparison comparison = report::compare(before, after, {});
  const std::string text = comparison_junit(comparison, /*is_open_failure=*/false);
  EXPECT_TRUE(contains(text, "tests=\"4\" failures=\"1\" errors=\"0\" skipped=\"2\"")) << text;
  EXPECT_TRUE(contains(text,
                       "<testcase name=\"a/train/cpu/b1\" classname=\"mpsbench.compare\" time=\"0.000\">"
                       "<failure message=\"slower: 1"))
      << text;
  EXPECT_TRUE(contains(text, ", +10.0 % ("));
  EXPECT_TRUE(contains(text, "<testcase name=\"b/train/cpu/b1\" classname=\"mpsbench.compare\" time=\"0.000\"/>"));
  EXPECT_TRUE(contains(text, "><skipped message=\"undecided"));
  EXPECT_TRUE(contains(text, "<testcase name=\"&lt;d"));
  EXPECT_TRUE(contains(text, "><skipped message=\"not compared (only before)"));
  EXPECT_TRUE(
      contains(comparison_junit(comparison, /*is_open_failure=*/true), "failures=\"3\" errors=\"0\" skipped=\"0\""));
}

TEST(Junit, AFurtherMetricIsATestOfItsOwn) {
  report::ComparedReport before = tests::compared_report("a.json", {tests::compared_case("a/train/cpu/b1", {1, 1})});
  report::ComparedReport after = before;
  tests::set_values(before.cases[0], schema::GatedMetric::peak_memory, {1024, 1024});
  tests::set_values(after.cases[0], schema::GatedMetric::peak_memory, {1536, 1536});
  tests::count_memory(before.cases[0]);
  tests::count_memory(after.cases[0]);
  report::CompareRules rules;
  rules.gate_on = {{schema::GatedMetric::step, std::nullopt}, {schema::GatedMetric::peak_memory, std::nullopt}};
  const std::string text = comparison_junit(report::compare(before, after, rules), false);
  EXPECT_TRUE(contains(text, "<testcase name=\"a/train/cpu/b1\" ")) << text;
  EXPECT_TRUE(contains(text,
                       "<testcase name=\"a/train/cpu/b1 peak-memory\" classname=\"mpsbench.compare\" "
                       "time=\"0.000\"><failure message=\"larger: 1.0 KiB → 1.5 KiB, +50.0 % ("))
      << text;
  EXPECT_TRUE(contains(text, " type=\"larger\">"));
}

TEST(Junit, HostileNamesAddNoMarkup) {
  const std::string text = to_junit({tests::hostile_report()});
  EXPECT_TRUE(tests::is_harmless(text));
  EXPECT_FALSE(contains(text, "</a>"));
  schema::Report report = tests::exported_report();
  const std::string plain = to_junit({report});
  EXPECT_EQ(std::count(text.begin(), text.end(), '<'), std::count(plain.begin(), plain.end(), '<') + 1)
      << "one more case has flags";
}

}  // namespace
}  // namespace mpsbench::output
