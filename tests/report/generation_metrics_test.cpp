// The metrics of cases that generate.
#include "report/metric_rows.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace mpsbench::report {
namespace {

using schema::CaseSpec;
using schema::Launch;
using schema::Mode;
using tests::good_launch;
using tests::none;
using tests::with;

TEST(Metrics, OfGeneration) {
  const CaseSpec spec = with(tests::sample_spec("gpt2", Mode::generate, 4), [](CaseSpec& one) {
    one.prompt = 128;
    one.generate = 33;
    one.depth = 0;
  });
  const Launch launch = with(good_launch(std::vector<double>(7, 0.010)), [](Launch& one) {
    one.steps_per_sample = 32;
    one.prefill_samples_seconds = std::vector<double>(7, 0.250);
    one.latency_samples_seconds = std::vector<double>(64, 0.016);
  });
  const auto plan = with(tests::counted_plan(), [](schema::NetworkPlan& one) {
    one.parameter_bytes = 400;
    one.cache = {.filled = 144, .capacity = 160, .allocated = 160, .elements = 20};
    const auto add = [&one](const std::string& type, const std::string& weight, schema::Shape shape) {
      schema::NetworkNode& node = one.nodes.emplace_back();
      node.type = type;
      node.options = {{"window", 40}, {"top_k", 2}};
      if (!weight.empty()) node.tensors.emplace_back().name = weight, node.tensors.back().shape = std::move(shape);
    };
    add("embedding", "words", {50, 2});
    add("embedding", "positions", {16, 3});
    add("moe", "experts", {16, 5});
    add("scaled_dot_product_attention", "", {});
    add("linear", "words", {50, 2});
  });
  const std::string only = "see tokens_per_second";
  // The head reads all words, 4 rows of positions and 8 of 16 experts are read, and the window has 40 positions.
  const double bytes = 4.0 * (100 + 4 * 3 + 8 * 5 + 20 * 40);
  tests::expect_all({{"tokens in place of rows",
                      {launch},
                      {{"tokens_per_second/value", 400},
                       {"prefill_tokens_per_second/value", 2048},
                       {"first_token_seconds/median", 0.25},
                       {"step_seconds/median", 0.010},
                       {"latency_seconds/p90", 0.016},
                       {"weight_bytes", 400},
                       {"kv_cache_bytes", 20 * 160 * 4},
                       {"bytes_per_second", bytes / 0.010},
                       {"ceiling_share", bytes / 0.010 / 1e7},
                       {"rows_per_second", none(only)},
                       {"mean_rows_per_second", none(only)},
                       {"epoch_seconds", none(only)}},
                      spec,
                      plan,
                      {},
                      1e7}});
}

}  // namespace
}  // namespace mpsbench::report
