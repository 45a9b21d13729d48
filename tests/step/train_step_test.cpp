#include "step/train_step.hpp"

#include "base/safetensors.hpp"
#include "model/freeze.hpp"
#include "model/optimizer.hpp"
#include "nn/plans.hpp"

#include <ATen/ATen.h>
#include <ATen/record_function.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <filesystem>
#include <memory>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

namespace mpsbench::step {
namespace {

// A network, its batch and a training step over them.
struct Rig {
  explicit Rig(Precision precision = Precision::fp32, bool with_evidence = false,
               const schema::OptimizerSpec& optimizer = model::complete_optimizer("sgd", {{"lr", 0.5}}),
               schema::Plan of = testing::small_mlp(16), OverflowCheck overflow_check = OverflowCheck::device)
      : plan(std::move(of)),
        parameters(draw(plan)),
        network(plan, parameters, true),
        batch(data::make_synthetic_batch(plan, 1, at::kCPU)),
        evidence(plan),
        step(network, parameters, batch, precision, find_loss("cross_entropy"), optimizer, overflow_check,
             with_evidence ? &evidence : nullptr) {}

  static nn::Parameters draw(const schema::Plan& plan) {
    nn::Parameters parameters = nn::Parameters::draw(plan, 1, at::kCPU);
    parameters.require_gradients();
    return parameters;
  }

  schema::Plan plan;
  nn::Parameters parameters;
  nn::Network network;
  data::Batch batch;
  Evidence evidence;
  TrainStep step;
};

double loss_after(Rig& rig, int steps) {
  for (int i = 0; i < steps; ++i) rig.step.run();
  return *rig.step.loss();
}

TEST(TrainStep, LearnsItsBatch) {
  Rig rig;
  const double first = loss_after(rig, 1);
  EXPECT_NEAR(first, std::log(4.0), 0.5);
  EXPECT_LT(loss_after(rig, 200), 0.1 * first);
}

TEST(TrainStep, LearnsInBf16Too) {
  Rig rig(Precision::bf16);
  const double first = loss_after(rig, 1);
  EXPECT_LT(loss_after(rig, 200), 0.2 * first);
  EXPECT_EQ(rig.parameters.all()[0].tensor.scalar_type(), at::kFloat);
}

// Looks of the host at a number of the device, each of which waits for it.
thread_local int looks = 0;

std::unique_ptr<at::ObserverContext> count_looks(const at::RecordFunction& function) {
  if (std::string_view(function.name()) == "aten::_local_scalar_dense") ++looks;
  return nullptr;
}

TEST(TrainStep, InFp16TheHostLooksForOverflowWhereItIsToldTo) {
  for (const auto& [check, expected] : {std::pair{OverflowCheck::device, 0}, {OverflowCheck::host, 3}}) {
    Rig rig(Precision::fp16, false, model::complete_optimizer("sgd", {{"lr", 0.5}}), testing::small_mlp(16),
            check);
    looks = 0;
    const auto handle = at::addThreadLocalCallback(
        at::RecordFunctionCallback(count_looks).scopes({at::RecordScope::FUNCTION}));
    for (int i = 0; i < 3; ++i) rig.step.run();
    at::removeCallback(handle);
    EXPECT_EQ(looks, expected);
  }
}

TEST(TrainStep, IsTheSameForTheSameSeed) {
  Rig a;
  Rig b;
  for (int i = 0; i < 5; ++i) EXPECT_EQ(loss_after(a, 1), loss_after(b, 1));
}

// A gradient that was not zeroed would make the second update twice as large.
TEST(TrainStep, ZeroesGradients) {
  Rig rig;
  rig.step.run();
  const at::Tensor first = rig.parameters.all()[0].tensor.grad().clone();
  rig.step.run();
  const at::Tensor second = rig.parameters.all()[0].tensor.grad();
  EXPECT_LT((second - first).abs().max().item<float>(), 0.5F * first.abs().max().item<float>());
}

TEST(TrainStep, WithoutAnOptimizerGradientsAddUpAndWeightsStay) {
  Rig rig(Precision::fp32, false, model::complete_optimizer("none", {}));
  const at::Tensor weight = rig.parameters.all()[0].tensor;
  const at::Tensor before = weight.detach().clone();
  rig.step.run();
  const at::Tensor first = weight.grad().clone();
  EXPECT_GT(first.abs().max().item<float>(), 0);
  for (int i = 0; i < 3; ++i) rig.step.run();
  EXPECT_TRUE(at::allclose(weight.grad(), 4 * first));
  EXPECT_TRUE(at::equal(weight, before));
}

TEST(TrainStep, AFrozenBackboneKeepsEveryBit) {
  schema::Plan plan = testing::small_mlp(16);
  model::freeze_backbone(plan);
  Rig rig(Precision::fp32, false, model::complete_optimizer("adam", {{"lr", 0.1}}), plan);
  std::vector<at::Tensor> before;
  for (const nn::NamedTensor& one : rig.parameters.all()) before.push_back(one.tensor.detach().clone());
  const double first = loss_after(rig, 1);
  EXPECT_LT(loss_after(rig, 100), first);
  for (std::size_t i = 0; i < before.size(); ++i) {
    const nn::NamedTensor& one = rig.parameters.all()[i];
    EXPECT_EQ(at::equal(one.tensor, before[i]), one.name.starts_with("first.")) << one.name;
  }
}

TEST(TrainStep, GivesEvidenceOfItsFirstStepBeforeTheUpdate) {
  Rig rig(Precision::fp32, true);
  const at::Tensor bias = rig.parameters.all()[3].tensor.detach().clone();
  rig.step.run();
  const auto file =
      std::filesystem::temp_directory_path() / ("train_step_test_" + std::to_string(::getpid()));
  rig.evidence.write(file.string());
  const base::SafetensorsHeader header = base::read_safetensors_header(file);
  std::filesystem::remove(file);
  std::set<std::string> names;
  for (const auto& [name, entry] : header.tensors) names.insert(name);
  EXPECT_EQ(names, (std::set<std::string>{"input", "target", "logits", "loss", "grad.first.weight",
                                          "grad.first.bias", "grad.last.weight", "grad.last.bias"}));
  const at::Tensor updated = bias - 0.5 * rig.parameters.all()[3].tensor.grad();
  EXPECT_TRUE(at::allclose(rig.parameters.all()[3].tensor.detach(), updated));
}

}  // namespace
}  // namespace mpsbench::step
