#include "output/export/export_formats.hpp"

#include "support/errors.hpp"
#include "support/exported.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace mpsbench::output {
namespace {

using tests::contains;
using tests::usage_error_of;

std::vector<schema::Report> of_two_hosts() {
  std::vector<schema::Report> reports{tests::exported_report(), tests::exported_report()};
  reports[1].host.name = "m1-0a1b";
  return reports;
}

std::string exported(const std::string& name, const std::vector<schema::Report>& reports) {
  return find_format(name)->report(reports);
}

TEST(ExportFormats, EachTakesOneReportAndSomeLeaveOutWhatWasNotMeasured) {
  for (const ExportFormat& format : export_formats()) {
    const std::string text = format.report({tests::exported_report()});
    EXPECT_TRUE(contains(text, "mlp")) << format.name;
    EXPECT_EQ(text.back(), '\n') << format.name;
    const bool told = contains(text, "b128") || contains(text, "out of memory");
    EXPECT_EQ(told, !format.leaves_out) << format.name;
  }
}

TEST(ExportFormats, HostileNamesAreHarmlessInAll) {
  for (const ExportFormat& format : export_formats()) {
    if (format.name == "json" || format.name == "jsonl") continue;  // they hold a report as it is
    EXPECT_TRUE(tests::is_harmless(format.report({tests::hostile_report()}))) << format.name;
    if (format.name == "google-benchmark") continue;
    std::vector<schema::Report> two{tests::hostile_report(), tests::exported_report()};
    EXPECT_TRUE(tests::is_harmless(format.report(two))) << format.name;
  }
}

TEST(ExportFormats, CasesOfSeveralHostsNameThem) {
  for (const char* name : {"csv", "github-action", "bencher"}) {
    const std::string text = exported(name, of_two_hosts());
    EXPECT_TRUE(contains(text, "/synthetic@epyc-0a1b")) << name;
    EXPECT_TRUE(contains(text, "/synthetic@m1-0a1b")) << name;
  }
}

TEST(ExportFormats, OfSeveralReports) {
  const std::string text = exported("md", of_two_hosts());
  EXPECT_EQ(text.rfind("**epyc-0a1b**, 2026-11-21T10:02:00Z\n\n| model |", 0), 0U) << text;
  EXPECT_TRUE(contains(text, "|\n\n**m1-0a1b**, 2026")) << text;
  EXPECT_TRUE(contains(usage_error_of([] { (void)exported("json", of_two_hosts()); }), "mpsbench merge"));
  EXPECT_TRUE(contains(usage_error_of([] { (void)exported("google-benchmark", of_two_hosts()); }), "one by one"));
  std::vector<schema::Report> parts{tests::exported_report(), tests::exported_report()};
  parts[0].cases.pop_back();
  parts[1].cases.erase(parts[1].cases.begin());
  EXPECT_EQ(exported("google-benchmark", parts), exported("google-benchmark", {tests::exported_report()}));
}

TEST(ExportFormats, AreDescribed) {
  for (const ExportFormat& format : export_formats()) {
    EXPECT_FALSE(format.help.empty()) << format.name;
    EXPECT_EQ(format.ending.front(), '.') << format.name;
    EXPECT_NE(format.report, nullptr) << format.name;
    EXPECT_EQ(format.comparison == nullptr && format.machines != nullptr, false) << format.name;
    EXPECT_EQ(find_format(format.name), &format) << "the name stands twice";
    EXPECT_EQ(find_format(format.name + "x"), nullptr);
  }
  EXPECT_EQ(formats_with(&ExportFormat::list), (std::vector<std::string>{"table", "md", "csv", "json", "jsonl"}));
  EXPECT_EQ(documents_of(*find_format("junit")), (std::vector<std::string>{"report", "comparison"}));
}

TEST(ExportFormats, AFileHasTheFirstFormatOfItsEnding) {
  const auto name = [](const char* file) {
    const ExportFormat* format = format_of_file(file);
    return format != nullptr ? format->name : "none";
  };
  EXPECT_EQ(name("a.json"), "json");
  EXPECT_EQ(name("x.y/a.b.CSV"), "csv");
  EXPECT_EQ(name("a.xml"), "junit");
  EXPECT_EQ(name("a.txt"), "table");
  for (const char* file : {"csv", ".csv", "a", "a.", "a.jpg", "a.csv/", "-"}) EXPECT_EQ(name(file), "none") << file;
}

const nlohmann::ordered_json kEntries = nlohmann::ordered_json::array(
    {{{"name", "mlp"}, {"rows", 60000}, {"engines", {"eager", "graph"}}, {"usable", true}, {"reason", nullptr}}});

TEST(ListExport, HasATableForPeopleAndDataForPrograms) {
  const auto list = [](const char* format) { return find_format(format)->list(kEntries); };
  EXPECT_EQ(list("table"),
            "name    rows  engines       usable  reason\n"
            "mlp   60,000  eager, graph  yes     –\n");
  EXPECT_EQ(list("md").substr(0, 7), "| name ");
  EXPECT_EQ(list("csv"), "name,rows,engines,usable,reason\r\nmlp,60000,\"eager, graph\",true,\r\n");
  EXPECT_EQ(nlohmann::ordered_json::parse(list("json")), kEntries);
  EXPECT_EQ(nlohmann::ordered_json::parse(list("jsonl")), kEntries.front());
}

TEST(Joined, RefusesOneNameForTwoCases) {
  const std::string error = usage_error_of([] { (void)joined({tests::exported_report(), tests::exported_report()}); });
  EXPECT_TRUE(contains(error, "two cases have the name mlp/train/cpu/b64")) << error;
  schema::Report report = tests::exported_report();
  report.cases[0].id = "a\x01";
  report.cases[1].id = "a\x02";
  EXPECT_TRUE(contains(usage_error_of([&] { (void)joined({report}); }), "two cases")) << "their names are the same";
}

}  // namespace
}  // namespace mpsbench::output
