#include "cli/commands/commands.hpp"
#include "cli/support.hpp"

#include <nlohmann/json.hpp>

#include <sstream>

namespace mpsbench::cli {
namespace {

using tests::contains;
using tests::failure;
using tests::mpsbench;

TEST(List, ShowsModels) {
  const tests::Outcome outcome = mpsbench({"list", "models"});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
  EXPECT_EQ(outcome.out.rfind("model ", 0), 0U) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "138,357,544")) << outcome.out;
  EXPECT_TRUE(contains(outcome.out, "\nvgg16 "));
  EXPECT_FALSE(contains(outcome.out, " \n")) << "blanks at a line's end";
}

TEST(List, ShowsSuitesAndDataSets) {
  EXPECT_TRUE(contains(mpsbench({"list", "suites"}).out, "\nquick "));
  EXPECT_TRUE(contains(mpsbench({"list", "datasets"}).out, "\nsynthetic           –          –  one seeded batch"));
}

TEST(List, ShowsTheFilesOfDataSets) {
  const std::string table = mpsbench({"list", "datasets"}).out;
  EXPECT_TRUE(contains(table, "\ntrec            5,452        500  questions")) << table;
  EXPECT_TRUE(contains(table, "  train_5500.label, TREC_10.label\n")) << table;
  const nlohmann::json entries = nlohmann::json::parse(mpsbench({"list", "datasets", "-f", "json"}).out);
  EXPECT_EQ(entries.at(0).at("dataset"), "cifar10");
  EXPECT_EQ(entries.at(0).at("train_rows"), 50'000);
  EXPECT_EQ(entries.at(0).at("files"), nlohmann::json({"cifar-10-binary.tar.gz"}));
  EXPECT_TRUE(entries.back().at("train_rows").is_null());
}

TEST(List, SpeaksJson) {
  const tests::Outcome outcome = mpsbench({"list", "suites", "--format", "json"});
  const nlohmann::json entries = nlohmann::json::parse(outcome.out);
  ASSERT_GT(entries.size(), 1U);
  EXPECT_EQ(entries[0].at("suite"), "apple-bert");
  for (const nlohmann::json& entry : entries) EXPECT_FALSE(entry.at("description").get<std::string>().empty());
}

TEST(List, SpeaksCsvMarkdownAndJsonLines) {
  const std::string csv = mpsbench({"list", "datasets", "-f", "csv"}).out;
  EXPECT_EQ(csv.rfind("dataset,train_rows,test_rows,description,files\r\n", 0), 0U) << csv;
  EXPECT_TRUE(contains(csv, ",\"train_5500.label, TREC_10.label\"\r\n")) << csv;
  EXPECT_TRUE(contains(csv, "\r\nsynthetic,,,one seeded batch")) << csv;
  const std::string markdown = mpsbench({"list", "models", "-f", "md"}).out;
  EXPECT_TRUE(contains(markdown, "| --- | ---: |")) << markdown;
  EXPECT_TRUE(contains(markdown, "\n| vgg16 | 138,357,544 |")) << markdown;
  const nlohmann::json whole = nlohmann::json::parse(mpsbench({"list", "suites", "-f", "json"}).out);
  std::istringstream lines(mpsbench({"list", "suites", "-f", "jsonl"}).out);
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) EXPECT_EQ(nlohmann::json::parse(line), whole.at(count));
  EXPECT_EQ(count, whole.size());
}

TEST(List, NeedsAWorkerForDevices) {
  const tests::ScopedVariable worker("MPSBENCH_WORKER", "/nowhere/mpsbench-worker");
  EXPECT_TRUE(contains(failure(2, {"list", "devices"}), "the worker program /nowhere/mpsbench-worker is missing"));
}

TEST(List, KnowsWhatThereIs) {
  EXPECT_EQ(failure(2, {"list"}), "mpsbench: WHAT is missing; see --help\n");
  EXPECT_EQ(failure(2, {"list", "networks"}),
            "mpsbench: WHAT: unknown list 'networks'; known: models, suites, devices, datasets, formats, "
            "packages; see "
            "--help\n");
  EXPECT_TRUE(contains(failure(2, {"list", "model"}), "unknown list 'model' (did you mean 'models'?)"));
}

}  // namespace
}  // namespace mpsbench::cli
