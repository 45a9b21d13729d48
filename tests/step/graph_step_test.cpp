#include "step/graph_step.hpp"

#include "base/error.hpp"
#include "model/training.hpp"
#include "nn/network.hpp"
#include "nn/plans.hpp"
#include "step/infer_step.hpp"
#include "step/train_step.hpp"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace mpsbench::step {
namespace {

// A network on a device, with separate weights and batch, all from one seed.
struct GraphRig {
  GraphRig(const c10::Device& device, schema::Mode mode)
      : plan(tests::small_mlp(16, mode)),
        parameters(nn::Parameters::draw(plan, 1, device)),
        network((parameters.require_gradients(), plan), parameters, mode == schema::Mode::train),
        batch(data::make_synthetic_batch(plan, 1, device)) {}

  std::unique_ptr<measure::Step> train_step(const std::string& optimizer, Precision precision, double rate = 0.05,
                                            GradientHook* hook = nullptr) {
    return std::make_unique<TrainStep>(network, batch,
                                       TrainSettings{.precision = precision,
                                                     .loss = find_loss("cross_entropy"),
                                                     .optimizer = model::complete_optimizer(optimizer, {{"lr", rate}}),
                                                     .gradient_hook = hook},
                                       nullptr);
  }

  schema::NetworkPlan plan;
  nn::Parameters parameters;
  nn::Network network;
  data::Batch batch;
};

class GraphStepOnCuda : public ::testing::TestWithParam<std::tuple<const char*, Precision>> {};

TEST_P(GraphStepOnCuda, ComputesWhatEagerStepsCompute) {
  if (!at::hasCUDA()) GTEST_SKIP() << "needs CUDA";
  const c10::Device device(c10::kCUDA, 0);
  const auto [optimizer, precision] = GetParam();
  GraphRig eager_rig(device, schema::Mode::train);
  GraphRig graph_rig(device, schema::Mode::train);
  const auto eager = eager_rig.train_step(optimizer, precision);
  const auto graph = make_graph_step(graph_rig.train_step(optimizer, precision), device);
  for (int i = 0; i < 20; ++i) {
    eager->run();
    graph->run();
    ASSERT_NEAR(eager->loss().value(), graph->loss().value(), 1e-5) << "step " << i;
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, GraphStepOnCuda,
                         ::testing::Values(std::tuple("sgd", Precision::fp32), std::tuple("adamw", Precision::fp32),
                                           std::tuple("adam", Precision::bf16), std::tuple("sgd", Precision::fp16)),
                         [](const auto& one) {
                           return std::string(std::get<0>(one.param)) + std::to_string(one.index);
                         });

class HalvingHook final : public GradientHook {
 public:
  void apply(const std::vector<at::Tensor>& parameters) override {
    for (const at::Tensor& parameter : parameters) parameter.grad().mul_(0.5);
  }
};

TEST(GraphStep, CapturesTheGradientHook) {
  if (!at::hasCUDA()) GTEST_SKIP() << "needs CUDA";
  const c10::Device device(c10::kCUDA, 0);
  HalvingHook hook;
  GraphRig eager_rig(device, schema::Mode::train);
  GraphRig graph_rig(device, schema::Mode::train);
  const auto eager = eager_rig.train_step("sgd", Precision::fp32, 0.05);
  const auto graph = make_graph_step(graph_rig.train_step("sgd", Precision::fp32, 0.1, &hook), device);
  for (int i = 0; i < 20; ++i) {
    eager->run();
    graph->run();
    ASSERT_NEAR(eager->loss().value(), graph->loss().value(), 1e-5) << "step " << i;
  }
}

// A network with convolution, batch norm and dropout, which keep state between steps.
struct ImageRig {
  ImageRig(const c10::Device& device, double dropout)
      : plan(tests::plan_of(
            tests::image_input(3, 8),
            nlohmann::json::array({{{"type", "conv2d"}, {"name", "conv"}, {"out_channels", 4}, {"kernel_size", 3}},
                                   {{"type", "batch_norm2d"}, {"name", "norm"}},
                                   {{"type", "relu"}},
                                   {{"type", "flatten"}},
                                   {{"type", "dropout"}, {"p", dropout}},
                                   {{"type", "linear"}, {"name", "last"}, {"out_features", 5}}}),
            16)),
        parameters(nn::Parameters::draw(plan, 1, device)),
        network((parameters.require_gradients(), plan), parameters, /*training=*/true),
        batch(data::make_synthetic_batch(plan, 1, device)) {}

  std::unique_ptr<measure::Step> train_step(double rate) {
    return std::make_unique<TrainStep>(network, batch,
                                       TrainSettings{.loss = find_loss("cross_entropy"),
                                                     .optimizer = model::complete_optimizer("sgd", {{"lr", rate}})},
                                       nullptr);
  }
  [[nodiscard]] at::Tensor tensor(const std::string& name) const {
    for (const nn::NamedTensor& one : parameters.all()) {
      if (one.name == name) return one.tensor;
    }
    return {};
  }

  schema::NetworkPlan plan;
  nn::Parameters parameters;
  nn::Network network;
  data::Batch batch;
};

TEST(GraphStep, UpdatesBatchNormAsEagerStepsDo) {
  if (!at::hasCUDA()) GTEST_SKIP() << "needs CUDA";
  const c10::Device device(c10::kCUDA, 0);
  ImageRig eager_rig(device, 0);
  ImageRig graph_rig(device, 0);
  const auto eager = eager_rig.train_step(0.05);
  {
    const auto graph = make_graph_step(graph_rig.train_step(0.05), device);
    for (int i = 0; i < 20; ++i) {
      eager->run();
      graph->run();
      ASSERT_NEAR(eager->loss().value(), graph->loss().value(), 1e-5) << "step " << i;
    }
  }
  for (const char* name : {"norm.running_mean", "norm.running_var", "norm.weight", "conv.weight"})
    EXPECT_TRUE(at::allclose(eager_rig.tensor(name), graph_rig.tensor(name), 1e-4, 1e-5)) << name;
  EXPECT_EQ(graph_rig.tensor("norm.num_batches_tracked").item<std::int64_t>(), 20);
}

TEST(GraphStep, DrawsDropoutAnewInEveryReplay) {
  if (!at::hasCUDA()) GTEST_SKIP() << "needs CUDA";
  const c10::Device device(c10::kCUDA, 0);
  ImageRig rig(device, 0.5);
  const auto graph = make_graph_step(rig.train_step(0), device);  // learning rate 0: only the dropout masks differ
  std::set<double> losses;
  for (int i = 0; i < 20; ++i) {
    graph->run();
    losses.insert(graph->loss().value());
  }
  EXPECT_GE(losses.size(), 18U);
}

// Keeps its logits so that a test can read them.
class ForwardStep final : public measure::Step {
 public:
  explicit ForwardStep(ImageRig& rig) : rig_(&rig) {}
  void run() override {
    const at::NoGradGuard no_grad;
    logits = rig_->network.forward(rig_->batch.inputs);
  }
  std::optional<double> loss() override { return std::nullopt; }

  at::Tensor logits;

 private:
  ImageRig* rig_;
};

TEST(GraphStep, ReadsTheBatchThatIsThereWhenItIsReplayed) {
  if (!at::hasCUDA()) GTEST_SKIP() << "needs CUDA";
  const c10::Device device(c10::kCUDA, 0);
  ImageRig rig(device, 0);
  auto forward = std::make_unique<ForwardStep>(rig);
  const ForwardStep* seen = forward.get();
  const auto graph = make_graph_step(std::move(forward), device);
  for (int i = 0; i < 5; ++i) graph->run();
  rig.batch.inputs[0].normal_();
  graph->run();
  const at::Tensor replayed = seen->logits.clone();
  ForwardStep eager(rig);
  eager.run();
  EXPECT_TRUE(at::allclose(replayed, eager.logits, 1e-5, 1e-5));
}

class UnusedClock final : public measure::EventClock {
 public:
  void mark() override { ADD_FAILURE(); }
  std::vector<double> take_seconds() override { return {}; }
};

TEST(GraphStep, HasNoPartsThatItCouldMark) {
  if (!at::hasCUDA()) GTEST_SKIP() << "needs CUDA";
  const c10::Device device(c10::kCUDA, 0);
  GraphRig rig(device, schema::Mode::train);
  const auto graph = make_graph_step(rig.train_step("sgd", Precision::fp32), device);
  UnusedClock clock;
  for (int i = 0; i < 5; ++i) graph->run();
  EXPECT_FALSE(graph->run_marked(clock));
}

// Reads a number from the device in the middle of a step, which cannot be captured in a graph.
class WaitingStep final : public measure::Step {
 public:
  explicit WaitingStep(const c10::Device& device) : ones_(at::ones({4}, at::TensorOptions(device))) {}
  void run() override { sum_ = ones_.sum().item<double>(); }
  std::optional<double> loss() override { return sum_; }

 private:
  at::Tensor ones_;
  double sum_ = 0;
};

TEST(GraphStep, SaysWhenAStepCannotBeCaptured) {
  if (!at::hasCUDA()) GTEST_SKIP() << "needs CUDA";
  const c10::Device device(c10::kCUDA, 0);
  {
    const auto graph = make_graph_step(std::make_unique<WaitingStep>(device), device);
    for (int i = 0; i < 3; ++i) graph->run();
    try {
      graph->run();
      FAIL();
    } catch (const base::Error& error) {
      EXPECT_EQ(error.kind(), base::ErrorKind::no_device);
      EXPECT_NE(std::string(error.what()).find("cannot be captured"), std::string::npos) << error.what();
    }
  }
  EXPECT_EQ(at::ones({3}, at::TensorOptions(device)).sum().item<double>(), 3);  // the device still works
}

}  // namespace
}  // namespace mpsbench::step
