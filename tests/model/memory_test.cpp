#include "model/memory.hpp"

#include "model/networks.hpp"

#include <gtest/gtest.h>

namespace mpsbench {

namespace {

TEST(Memory, HasTheOptimizersAverages) {
  const model::Definition gpt2 = tests::load_model("gpt2");
  schema::CaseSpec spec;
  spec.mode = schema::Mode::train;
  spec.optimizer = gpt2.optimizer;
  const schema::NetworkPlan plan = tests::plan_of(gpt2, 1);
  const model::MemoryForecast adamw = model::forecast_memory(plan, spec);
  const double weights = 4.0 * 124'439'808;
  EXPECT_EQ(adamw.weights, weights);
  EXPECT_EQ(adamw.gradients, weights);
  EXPECT_EQ(adamw.optimizer, 2 * weights);
  EXPECT_EQ(adamw.batch, 8 * 1024);
  EXPECT_GT(adamw.activations, 3 * 4.0 * 1024 * 50257) << "of the logits and of the loss";
  spec.precision = schema::Precision::bf16;
  const model::MemoryForecast autocast = model::forecast_memory(plan, spec);
  EXPECT_EQ(autocast.certain(), adamw.certain());
  EXPECT_EQ(autocast.activations, adamw.activations / 2 + weights / 2) << "with copies of the weights";
  spec.optimizer = {"sgd", {{"momentum", 0}}};
  EXPECT_EQ(model::forecast_memory(plan, spec).optimizer, 0);
  spec.mode = schema::Mode::infer;
  const model::MemoryForecast inference = model::forecast_memory(tests::plan_of(gpt2, 1, schema::Mode::infer), spec);
  EXPECT_EQ(inference.certain(), weights + 8 * 1024);
  EXPECT_LT(inference.activations, autocast.activations);
}

}  // namespace

}  // namespace mpsbench
