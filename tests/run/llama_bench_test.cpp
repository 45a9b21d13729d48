#include "run/import/llama_bench.hpp"

#include "base/json_reader.hpp"
#include "run/support.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <utility>
#include <vector>

namespace mpsbench::run {
namespace {

using nlohmann::json;
using tests::contains;
using tests::usage_error_of;

// A row of a computer with a GPU. Five repetitions of SECONDS each differ by a hundredth.
json row(std::int64_t prompt, std::int64_t generate, std::int64_t depth, double seconds = 1) {
  json samples = json::array();
  for (const double factor : {0.99, 1.0, 1.01, 1.0, 1.0})
    samples.push_back(static_cast<std::int64_t>(seconds * factor * 1e9));
  return {{"build_commit", "a1b2c3d"},
          {"build_number", 6543},
          {"cpu_info", "A CPU"},
          {"gpu_info", "A GPU"},
          {"backends", "BLAS,CUDA"},
          {"model_filename", "/home/anne/models/small-Q4_0.gguf"},
          {"model_type", "llama 1B Q4_0"},
          {"model_size", 700'000'000},
          {"model_n_params", 1'235'814'400},
          {"n_batch", 2048},
          {"n_threads", 8},
          {"type_k", "f16"},
          {"n_gpu_layers", 99},
          {"flash_attn", true},
          {"n_prompt", prompt},
          {"n_gen", generate},
          {"n_depth", depth},
          {"test_time", "2026-05-0" + std::to_string(1 + depth % 9) + "T10:00:00Z"},
          {"avg_ns", 1},
          {"samples_ns", samples},
          {"samples_ts", json::array()}};
}

schema::Report imported(const std::vector<json>& rows, const ImportedAs& as = {"llama-3.2-1b"}) {
  return import_llama_bench(json(rows).dump(), "l.json", as);
}

std::vector<std::string> ids_of(const std::vector<json>& rows, const ImportedAs& as = {"m"}) {
  std::vector<std::string> ids;
  for (const schema::CaseResult& result : imported(rows, as).cases) ids.push_back(result.id);
  return ids;
}

std::string refusal(const json& rows) {
  return usage_error_of([&] { (void)import_llama_bench(rows.dump(), "l.json", {}); });
}

// Returns the error of a row with another VALUE of KEY, or without it.
std::string refusal(const char* key, const json& value) {
  json bad = row(512, 0, 0);
  if (value.is_discarded()) {
    bad.erase(key);
  } else {
    bad[key] = value;
  }
  return refusal(json::array({bad}));
}

using Ids = std::vector<std::string>;

TEST(ImportLlamaBench, PairsAPromptWithTheTokensThatFollowIt) {
  EXPECT_EQ(ids_of({row(512, 0, 0), row(0, 128, 512)}), Ids{"m/generate/cuda/b1/int4/eager/synthetic"});
  EXPECT_EQ(ids_of({row(0, 64, 96), row(32, 0, 64), row(96, 0, 0)}),
            (Ids{"m/generate/cuda/b1/int4/eager/synthetic+depth=64+generate=64+prompt=32",
                 "m/generate/cuda/b1/int4/eager/synthetic+generate=64+prompt=96"}));
}

TEST(ImportLlamaBench, RowsWithoutAPartnerAreCasesOfTheirOwn) {
  EXPECT_EQ(ids_of({row(512, 0, 512), row(0, 128, 512), row(0, 128, 0)}),
            (Ids{"m/generate/cuda/b1/int4/eager/synthetic", "m/generate/cuda/b1/int4/eager/synthetic+prompt=1",
                 "m/generate/cuda/b1/int4/eager/synthetic+depth=512"}));
  json other = row(512, 0, 0);
  other["n_batch"] = 64;
  const auto report = imported({other, row(0, 64, 512)});
  ASSERT_EQ(report.cases.size(), 2U);
  EXPECT_FALSE(report.cases[0].metrics.first_token_seconds.mean);
  EXPECT_EQ(report.cases[0].notes.at("metrics.first_token_seconds"), "not published: the file has no row pp512 @ d0");
  EXPECT_EQ(report.cases[1].notes.at("metrics.step_seconds"), "not published: the file has no row tg128 @ d512");
}

TEST(ImportLlamaBench, TakesASingleRow) {
  EXPECT_EQ(import_llama_bench(row(512, 0, 0).dump(2), "l.json", {"m"}).cases.size(), 1U) << "on several lines";
}

TEST(ImportLlamaBench, LeavesOutRowsOfOneRateForBoth) {
  EXPECT_EQ(ids_of({row(512, 128, 0), row(0, 1, 0), row(512, 0, 0)}).size(), 1U);
  EXPECT_TRUE(contains(refusal(json::array({row(512, 128, 0)})), "l.json: $: has no row ppN or tgN"));
}

TEST(ImportLlamaBench, ComputesFiguresFromTheRepetitions) {
  const schema::Report report = imported({row(512, 0, 0, 0.256), row(0, 128, 512, 2.56)});
  const schema::CaseResult& result = report.cases.at(0);
  const schema::TimeMetrics& step = result.metrics.step_seconds;
  EXPECT_NEAR(step.mean.value(), 0.02, 1e-9);
  EXPECT_EQ(step.count, 5);
  EXPECT_LT(step.ci95.value().low, 0.02);
  EXPECT_GT(step.ci95.value().high, 0.02);
  EXPECT_NEAR(result.metrics.tokens_per_second.value.value(), 50, 1e-6);
  EXPECT_NEAR(result.metrics.first_token_seconds.mean.value(), 0.256, 1e-9);
  EXPECT_NEAR(result.metrics.prefill_tokens_per_second.value.value(), 2000, 1e-4);
  EXPECT_EQ(result.metrics.parameters, 1'235'814'400);
  EXPECT_EQ(result.metrics.weight_bytes, 700'000'000);
  EXPECT_TRUE(result.launches.empty());
  EXPECT_EQ(result.flags, std::vector<std::string>{"published"});
}

TEST(ImportLlamaBench, WritesAReportThatCanBeRead) {
  const json written(schema::to_json(imported({row(512, 0, 512), row(0, 128, 512)})));
  const auto read = schema::from_json<schema::Report>(base::Reader(written, "theirs.json"));
  EXPECT_EQ(json(schema::to_json(read)), written);
}

TEST(ImportLlamaBench, KeepsWhatItCannotMap) {
  const schema::Report report = imported({row(0, 128, 0)});
  const schema::Published& published = report.cases.at(0).published.value();
  EXPECT_EQ(published.source, "llama-bench, build 6543 (a1b2c3d)");
  EXPECT_EQ(published.cautions, (std::vector<std::string>{"llama-bench", "other-weights", "empty-cache"}));
  EXPECT_EQ(published.remark,
            "model_filename small-Q4_0.gguf, model_type llama 1B Q4_0, backends BLAS,CUDA, n_gpu_layers 99, "
            "n_threads 8, n_batch 2048, type_k f16, flash_attn true");
  const auto& [sha256, definition] = *report.run.definitions.begin();
  EXPECT_EQ(report.cases[0].definition_sha256, sha256);
  EXPECT_EQ(definition["llama-bench"]["model_filename"], "small-Q4_0.gguf");
  EXPECT_EQ(definition["llama-bench"]["cpu_info"], "A CPU");
  EXPECT_FALSE(definition["llama-bench"].contains("avg_ns"));
  EXPECT_EQ(report.host.name, "A GPU");
  EXPECT_EQ(report.host.accelerators.at(0).name, "A GPU");
  EXPECT_EQ(report.run.started_at, "2026-05-01T10:00:00Z");
}

TEST(ImportLlamaBench, NamesModelPrecisionAndDevice) {
  EXPECT_EQ(ids_of({row(0, 128, 512)}, {}), Ids{"small-Q4_0/generate/cuda/b1/int4/eager/synthetic"});
  EXPECT_EQ(ids_of({row(0, 128, 512)}, {"m", schema::Precision::fp32}), Ids{"m/generate/cuda/b1/fp32/eager/synthetic"});
  json half = row(0, 128, 512);
  half["model_type"] = "llama 1B F16";
  half["backends"] = "MTL,BLAS";
  const auto report = imported({half});
  EXPECT_EQ(report.cases[0].id, "llama-3.2-1b/generate/mps/b1/pure-fp16/eager/synthetic");
  EXPECT_EQ(report.cases[0].published.value().cautions, std::vector<std::string>{"llama-bench"});
  half["n_gpu_layers"] = 0;
  half.erase("n_depth");
  EXPECT_EQ(ids_of({half}), Ids{"m/generate/cpu/b1/pure-fp16/eager/synthetic+prompt=1+threads=8"});
}

TEST(ImportLlamaBench, ReadsLines) {
  const std::string lines = row(512, 0, 0).dump() + "\r\n\n" + row(0, 128, 512).dump();
  EXPECT_EQ(import_llama_bench(lines, "l.jsonl", {"m"}).cases.size(), 1U);
  EXPECT_TRUE(
      contains(usage_error_of([&] { (void)import_llama_bench(lines + "\n{", "l.jsonl", {}); }), "l.jsonl: line 4: "));
}

TEST(ImportLlamaBench, RefusesOtherFormats) {
  for (const char* text : {"", " \n", "| model | size |", "build_commit,build_number\n", "CREATE TABLE IF NOT EXISTS"})
    EXPECT_EQ(usage_error_of([&] { (void)import_llama_bench(text, "l.txt", {}); }),
              "l.txt: this is not llama-bench's JSON; write it with llama-bench -o json or -o jsonl");
  for (const json& rows : {json::array({1}), json::array({{{"schema_version", 1}}})})
    EXPECT_TRUE(contains(refusal(rows), "l.json: $[0]: this is no row of llama-bench")) << refusal(rows);
  EXPECT_TRUE(contains(refusal(json::array()), "l.json: $: has no row"));
  EXPECT_TRUE(contains(refusal(json(1001, row(0, 128, 0))), "more than 1,000 rows"));
}

TEST(ImportLlamaBench, NamesTheKeyThatIsWrong) {
  const json absent(json::value_t::discarded);
  for (const char* key : {"n_prompt", "n_gen", "test_time", "backends", "n_threads", "model_filename"})
    EXPECT_EQ(refusal(key, absent), std::string("l.json: $[0]: the key '") + key + "' is missing");
  const std::pair<const char*, json> wrong[] = {
      {"n_prompt", "512"},           {"n_gen", -1},    {"n_threads", 0},  {"samples_ns", json::array({0})},
      {"samples_ns", json::array()}, {"test_time", 1}, {"model_size", -1}};
  for (const auto& [key, value] : wrong)
    EXPECT_TRUE(contains(refusal(key, value), std::string("l.json: $[0].") + key)) << refusal(key, value);
  EXPECT_TRUE(contains(refusal("backends", "Vulkan"), "l.json: $[0].backends: mpsbench has no device for the backend"));
  EXPECT_TRUE(contains(refusal("model_filename", "a+b.gguf"), "give one with --model"));
}

TEST(ImportLlamaBench, RefusesWhatIsNoSingleReport) {
  json other = row(0, 128, 512);
  other["gpu_info"] = "Another GPU";
  EXPECT_TRUE(
      contains(refusal(json::array({row(512, 0, 0), other})), "l.json: $[1]: gpu_info is not that of the first row"));
  json batch = row(512, 0, 0);
  batch["n_batch"] = 64;
  EXPECT_EQ(refusal(json::array({row(512, 0, 0), batch})),
            "l.json: rows 1 and 2 are the same case, small-Q4_0/generate/cuda/b1/int4/eager/synthetic (n_batch "
            "2048 and 64); keep one of them in the file");
  EXPECT_TRUE(
      contains(refusal(json::array({row(16, 0, 0), row(0, 8, 16), row(16, 0, 0)})), "rows 1 and 3 are the same"));
}

}  // namespace
}  // namespace mpsbench::run
