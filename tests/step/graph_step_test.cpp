#include "step/graph_step.hpp"

#include "base/error.hpp"
#include "model/optimizer.hpp"
#include "nn/plans.hpp"
#include "step/infer_step.hpp"
#include "step/train_step.hpp"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <memory>

namespace mpsbench::step {
namespace {

// A network on a device with its own weights and batch, all from one seed.
struct Rig {
  Rig(const c10::Device& device, schema::Mode mode)
      : plan(testing::small_mlp(16, mode)),
        parameters(nn::Parameters::draw(plan, 1, device)),
        network((parameters.require_gradients(), plan), parameters, mode == schema::Mode::train),
        batch(data::make_synthetic_batch(plan, 1, device)) {}

  std::unique_ptr<measure::Step> train_step(const std::string& optimizer, Precision precision) {
    return std::make_unique<TrainStep>(network, parameters, batch, precision, find_loss("cross_entropy"),
                                       model::complete_optimizer(optimizer, {{"lr", 0.05}}), nullptr);
  }

  schema::Plan plan;
  nn::Parameters parameters;
  nn::Network network;
  data::Batch batch;
};

TEST(GraphStep, IsRefusedWhereThereIsNoCuda) {
  if (at::hasCUDA()) GTEST_SKIP() << "this machine has CUDA";
  Rig rig(at::kCPU, schema::Mode::train);
  try {
    (void)make_graph_step(rig.train_step("sgd", Precision::fp32), at::kCPU);
    FAIL();
  } catch (const base::Error& error) {
    EXPECT_EQ(error.kind(), base::ErrorKind::no_device);
  }
}

class GraphStepOnCuda : public ::testing::TestWithParam<std::tuple<const char*, Precision>> {};

TEST_P(GraphStepOnCuda, ComputesWhatEagerStepsCompute) {
  if (!at::hasCUDA()) GTEST_SKIP() << "needs CUDA";
  const c10::Device device(c10::kCUDA, 0);
  const auto [optimizer, precision] = GetParam();
  Rig eager_rig(device, schema::Mode::train);
  Rig graph_rig(device, schema::Mode::train);
  const auto eager = eager_rig.train_step(optimizer, precision);
  const auto graph = make_graph_step(graph_rig.train_step(optimizer, precision), device);
  for (int i = 0; i < 20; ++i) {
    eager->run();
    graph->run();
    ASSERT_NEAR(eager->loss().value(), graph->loss().value(), 1e-5) << "step " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Engines, GraphStepOnCuda,
    ::testing::Values(std::tuple("sgd", Precision::fp32), std::tuple("adamw", Precision::fp32),
                      std::tuple("adam", Precision::bf16), std::tuple("sgd", Precision::fp16)),
    [](const auto& one) { return std::string(std::get<0>(one.param)) + std::to_string(one.index); });

}  // namespace
}  // namespace mpsbench::step
