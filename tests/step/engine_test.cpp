#include "step/engine.hpp"

#include "reference_rig.hpp"
#include "support/errors.hpp"

#include <ATen/ATen.h>
#include <ATen/core/grad_mode.h>
#include <gtest/gtest.h>

#include <optional>
#include <set>
#include <utility>

namespace mpsbench::step {
namespace {

using schema::DeviceKind;
using schema::Engine;

class NoStep final : public measure::Step {
 public:
  void run() override {}
  std::optional<double> loss() override { return std::nullopt; }
};

TEST(Engine, EagerIsTheStepItself) {
  auto eager = std::make_unique<NoStep>();
  const measure::Step* same = eager.get();
  const auto made = make_engine_step(Engine::eager, std::move(eager), device::Device::open("cpu"));
  EXPECT_EQ(made.get(), same);
}

TEST(Engine, OneThatTheDeviceCannotRunSaysWhy) {
  const std::string why = "--engine graph replays CUDA graphs, which cpu does not have; use --engine eager";
  for (const schema::DeviceKindRow& kind : schema::ClosedSet<DeviceKind>::kRows)
    EXPECT_EQ(why_no_engine(kind.value, Engine::eager), "") << kind.name;
  EXPECT_EQ(why_no_engine(DeviceKind::cpu, Engine::graph), why);
  EXPECT_EQ(why_no_engine(DeviceKind::cuda, Engine::graph), "");
  EXPECT_TRUE(why_no_engine(DeviceKind::cpu, Engine::compiled_graph).ends_with("; use --engine compiled"));
  const device::Device cpu = device::Device::open("cpu");
  EXPECT_EQ(tests::error_of(base::ErrorKind::no_device,
                            [&] { (void)make_engine_step(Engine::graph, std::make_unique<NoStep>(), cpu); }),
            why);
}

// A network on a GPU, with separate weights and batch, all from one seed.
struct GraphRig {
  explicit GraphRig(schema::NetworkPlan of = tests::small_mlp(16))
      : plan(std::move(of)), network(plan, nn::Parameters::draw(plan, 1, at::kCUDA), /*training=*/true) {
    network.parameters().require_gradients();
  }

  std::unique_ptr<measure::Step> eager(const TrainSettings& settings) {
    return std::make_unique<TrainStep>(network, batch, settings, nullptr);
  }
  std::unique_ptr<measure::Step> graph(const TrainSettings& settings) { return graph(eager(settings)); }
  static std::unique_ptr<measure::Step> graph(std::unique_ptr<measure::Step> step) {
    return make_engine_step(Engine::graph, std::move(step), device::Device::open("cuda"));
  }
  [[nodiscard]] at::Tensor tensor(const std::string& name) const {
    for (const nn::NamedTensor& one : network.parameters().all()) {
      if (one.name == name) return one.tensor;
    }
    return {};
  }

  schema::NetworkPlan plan;
  nn::Network network;
  data::Batch batch = data::make_synthetic_batch(plan, 1, at::kCUDA);
};

class GraphStep : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!at::hasCUDA()) GTEST_SKIP() << "needs CUDA";
  }

  static void expect_same_losses(measure::Step& eager, measure::Step& graph) {
    for (int i = 0; i < 20; ++i) {
      eager.run();
      graph.run();
      ASSERT_NEAR(eager.loss().value(), graph.loss().value(), 1e-5) << "step " << i;
    }
  }
};

TEST_F(GraphStep, ComputesWhatEagerStepsCompute) {
  for (const auto& [optimizer, precision] : {std::pair{"sgd", Precision::fp32},
                                             {"adamw", Precision::fp32},
                                             {"adam", Precision::bf16},
                                             {"sgd", Precision::fp16}}) {
    SCOPED_TRACE(optimizer + to_string(precision));
    GraphRig eager;
    GraphRig graph;
    const TrainSettings settings = settings_of(optimizer, precision);
    expect_same_losses(*eager.eager(settings), *graph.graph(settings));
  }
}

TEST_F(GraphStep, CapturesTheGradientHook) {
  GraphRig eager;
  GraphRig graph;
  ScalingHook halving(std::nullopt, 0.5);
  const TrainSettings halved = hooked(settings_of("sgd", Precision::fp32, {{"lr", 0.1}}), halving);
  expect_same_losses(*eager.eager(settings_of("sgd", Precision::fp32)), *graph.graph(halved));
}

TEST_F(GraphStep, UpdatesBatchNormAsEagerStepsDo) {
  GraphRig eager(image_plan(0));
  GraphRig graph(image_plan(0));
  const TrainSettings settings = settings_of("sgd", Precision::fp32);
  expect_same_losses(*eager.eager(settings), *graph.graph(settings));
  for (const char* name : {"norm.running_mean", "norm.running_var", "norm.weight", "conv.weight"})
    EXPECT_TRUE(at::allclose(eager.tensor(name), graph.tensor(name), 1e-4, 1e-5)) << name;
  EXPECT_EQ(graph.tensor("norm.num_batches_tracked").item<std::int64_t>(), 20);
}

TEST_F(GraphStep, DrawsDropoutAnewInEveryReplay) {
  GraphRig rig(image_plan(0.5));
  // With learning rate 0, only the dropout masks differ.
  const auto graph = rig.graph(settings_of("sgd", Precision::fp32, {{"lr", 0}}));
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
  explicit ForwardStep(GraphRig& rig) : rig_(&rig) {}
  void run() override {
    const at::NoGradGuard no_grad;
    logits = rig_->network.forward(rig_->batch.inputs);
  }
  std::optional<double> loss() override { return std::nullopt; }

  at::Tensor logits;

 private:
  GraphRig* rig_;
};

TEST_F(GraphStep, ReadsTheBatchThatIsThereWhenItIsReplayed) {
  GraphRig rig(image_plan(0));
  auto forward = std::make_unique<ForwardStep>(rig);
  const ForwardStep* seen = forward.get();
  const auto graph = GraphRig::graph(std::move(forward));
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

TEST_F(GraphStep, HasNoPartsThatItCouldMark) {
  GraphRig rig;
  const auto graph = rig.graph(settings_of("sgd", Precision::fp32));
  UnusedClock clock;
  for (int i = 0; i < 5; ++i) graph->run();
  EXPECT_FALSE(graph->run_marked(clock));
}

// Reads a number from the device in the middle of a step, which cannot be captured in a graph.
class WaitingStep final : public measure::Step {
 public:
  void run() override { sum_ = ones_.sum().item<double>(); }
  std::optional<double> loss() override { return sum_; }

 private:
  at::Tensor ones_ = at::ones({4}, at::kCUDA);
  double sum_ = 0;
};

TEST_F(GraphStep, SaysWhenAStepCannotBeCaptured) {
  {
    const auto graph = GraphRig::graph(std::make_unique<WaitingStep>());
    for (int i = 0; i < 3; ++i) graph->run();
    const std::string error = tests::error_of(base::ErrorKind::no_device, [&] { graph->run(); });
    EXPECT_TRUE(tests::contains(error, "cannot be captured")) << error;
  }
  EXPECT_EQ(at::ones({3}, at::kCUDA).sum().item<double>(), 3);  // the device still works
}

}  // namespace
}  // namespace mpsbench::step
