#include "output/export/exporters.hpp"

#include "support/sample_run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

namespace mpsbench::output {
namespace {

// RFC 4180, strictly: nullopt for a stray quote or a bare line feed.
std::optional<std::vector<std::vector<std::string>>> parse_csv(const std::string& text) {
  std::vector<std::vector<std::string>> rows{{""}};
  bool inside = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    std::string& cell = rows.back().back();
    if (inside) {
      if (c != '"') {
        cell += c;
      } else if (i + 1 < text.size() && text[i + 1] == '"') {
        cell += text[++i];
      } else {
        inside = false;
      }
    } else if (c == '"') {
      if (!cell.empty()) return std::nullopt;
      inside = true;
    } else if (c == ',') {
      rows.back().emplace_back();
    } else if (c == '\r') {
      if (i + 1 == text.size() || text[++i] != '\n') return std::nullopt;
      rows.push_back({""});
    } else if (c == '\n') {
      return std::nullopt;
    } else {
      cell += c;
    }
  }
  if (inside || rows.back() != std::vector<std::string>{""}) return std::nullopt;
  rows.pop_back();
  return rows;
}

schema::Report exported_report() {
  schema::Report report;
  report.cases.resize(2);
  schema::CaseResult& good = report.cases[0];
  good.id = "mlp/train/cpu/b64/fp32/eager/synthetic";
  good.spec = tests::sample_spec("mlp", schema::Mode::train, 64);
  good.metrics.step_seconds.median = 0.1;
  good.metrics.step_seconds.ci95 = schema::Interval{0.09, 0.12};
  good.metrics.rows_per_second.value = 640;
  good.flags = {"noisy", "drifting"};
  schema::CaseResult& bad = report.cases[1];
  bad.id = "mlp/train/cpu/b128/fp32/eager/synthetic";
  bad.spec = tests::sample_spec("mlp", schema::Mode::train, 128);
  bad.status = schema::Status::oom;
  bad.failure = schema::Failure{"oom", "needs 2 GiB, 1 free", ""};
  return report;
}

std::string cell(const std::vector<std::vector<std::string>>& rows, std::size_t row, const std::string& key) {
  const auto found = std::find(rows[0].begin(), rows[0].end(), key);
  return rows[row][static_cast<std::size_t>(found - rows[0].begin())];
}

TEST(Csv, ValuesWithFullPrecisionAndEmptyNulls) {
  const auto rows = parse_csv(to_csv(exported_report()));
  ASSERT_TRUE(rows);
  ASSERT_EQ(rows->size(), 3U);
  for (const auto& row : *rows) EXPECT_EQ(row.size(), rows->front().size());
  EXPECT_EQ(cell(*rows, 1, "step_seconds"), "0.1");
  EXPECT_EQ(cell(*rows, 1, "step_seconds_high"), "0.12");
  EXPECT_EQ(cell(*rows, 1, "flags"), "noisy drifting");
  EXPECT_EQ(cell(*rows, 2, "status"), "oom");
  EXPECT_EQ(cell(*rows, 2, "step_seconds"), "");
  EXPECT_EQ(cell(*rows, 2, "failure"), "needs 2 GiB, 1 free");
}

TEST(Csv, HasTheColumnsThatOlderFilesLackAtTheEnd) {
  const auto rows = parse_csv(to_csv(exported_report()));
  ASSERT_TRUE(rows);
  EXPECT_EQ(
      std::vector(rows->front().end() - 5, rows->front().end()),
      (std::vector<std::string>{"interop_threads", "affinity", "ranks", "scaling", "published_speed_up"}));
}

TEST(Csv, FormulasQuotesAndControlCharacters) {
  schema::Report report = exported_report();
  const std::vector<std::pair<std::string, std::string>> table{
      {"=1+1", "'=1+1"},      {"  @SUM(A1)", "'  @SUM(A1)"}, {"-2", "'-2"}, {"+x", "'+x"}, {"\t=1", "?=1"},
      {"a,\"b\"", "a,\"b\""}, {"a\r\nb\x1b[2J", "a??b?[2J"}};
  for (const auto& [model, expected] : table) {
    report.cases[0].spec.model = model;
    const auto rows = parse_csv(to_csv(report));
    ASSERT_TRUE(rows) << model;
    EXPECT_EQ(cell(*rows, 1, "model"), expected);
  }
}

TEST(Markdown, Golden) {
  EXPECT_EQ(to_markdown(exported_report()),
            "| model | mode | device | prec | batch | step | p90 | rows/s | GFLOP/s | peak mem | flags |\n"
            "| --- | --- | --- | --- | ---: | ---: | ---: | ---: | ---: | ---: | --- |\n"
            "| mlp | train | cpu | fp32 | 64 | 100 ms −10 % +20 % | – | 640.0 | – | – | noisy drifting |\n"
            "| mlp | train | cpu | fp32 | 128 | – | – | – | – | – | out of memory (needs 2 GiB, 1 free) |\n");
}

TEST(Markdown, HostileNamesStayInTheirCell) {
  schema::Report report = exported_report();
  report.cases[0].spec.model = "a|b\n<script>[x](y)\x1b[0m";
  const std::string text = to_markdown(report);
  EXPECT_NE(text.find("| a\\|b?\\<script\\>\\[x\\](y)?\\[0m |"), std::string::npos) << text;
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 4);
}

TEST(Json, IsTheReport) {
  const schema::RunRecord record = tests::sample_run({tests::sample_spec("mlp", schema::Mode::train, 64)}, 1);
  const schema::Report report{record.tool, record.run, record.host, {}};
  const std::string text = to_json_text(report);
  EXPECT_EQ(nlohmann::ordered_json::parse(text), schema::to_json(report));
  EXPECT_EQ(text.back(), '\n');
}

TEST(JsonLines, OneCaseALineAsInTheReport) {
  const schema::Report report = exported_report();
  std::istringstream lines(to_json_lines(report));
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    EXPECT_EQ(nlohmann::ordered_json::parse(line), schema::to_json(report.cases.at(count)));
  }
  EXPECT_EQ(count, 2U);
}

}  // namespace
}  // namespace mpsbench::output
