#include "step/train_step.hpp"

#include "base/safetensors.hpp"
#include "nn/network.hpp"
#include "nn/plans.hpp"
#include "reference_rig.hpp"
#include "support/scratch.hpp"

#include <ATen/ATen.h>
#include <ATen/record_function.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>
#include <string_view>
#include <utility>

namespace mpsbench::step {
namespace {

TrainSettings sgd(double rate = 0.5) {
  return settings_of("sgd", Precision::fp32, {{"lr", rate}});
}

TrainSettings with(Precision precision, OverflowCheck overflow_check = OverflowCheck::device) {
  TrainSettings settings = settings_of("sgd", precision, {{"lr", 0.5}});
  settings.overflow_check = overflow_check;
  return settings;
}

// A network, its batch and a training step that uses them.
struct TrainRig {
  explicit TrainRig(const TrainSettings& settings = sgd(), bool with_evidence = false,
                    schema::NetworkPlan of = tests::small_mlp(16))
      : plan(std::move(of)),
        parameters(draw(plan)),
        network(plan, parameters, true),
        batch(data::make_synthetic_batch(plan, 1, at::kCPU)),
        evidence(plan),
        step(network, batch, settings, with_evidence ? &evidence : nullptr) {}

  static nn::Parameters draw(const schema::NetworkPlan& plan) {
    nn::Parameters parameters = nn::Parameters::draw(plan, 1, at::kCPU);
    parameters.require_gradients();
    return parameters;
  }

  schema::NetworkPlan plan;
  nn::Parameters parameters;
  nn::Network network;
  data::Batch batch;
  Evidence evidence;
  TrainStep step;
};

double loss_after(TrainRig& rig, int steps) {
  for (int i = 0; i < steps; ++i) rig.step.run();
  return *rig.step.loss();
}

TEST(TrainStep, LearnsItsBatch) {
  for (const auto& [precision, share] : {std::pair{Precision::fp32, 0.1}, {Precision::bf16, 0.2}}) {
    TrainRig rig(with(precision));
    const double first = loss_after(rig, 1);
    EXPECT_NEAR(first, std::log(4.0), 0.5);
    EXPECT_LT(loss_after(rig, 200), share * first);
    EXPECT_EQ(rig.parameters.all()[0].tensor.scalar_type(), at::kFloat);
  }
}

// Counts how often the host reads a number from the device. Each read waits for the device.
thread_local int looks = 0;

std::unique_ptr<at::ObserverContext> count_looks(const at::RecordFunction& function) {
  if (std::string_view(function.name()) == "aten::_local_scalar_dense") ++looks;
  return nullptr;
}

TEST(TrainStep, InFp16TheHostLooksForOverflowWhereItIsToldTo) {
  for (const auto& [check, expected] : {std::pair{OverflowCheck::device, 0}, {OverflowCheck::host, 3}}) {
    TrainRig rig(with(Precision::fp16, check));
    looks = 0;
    const auto handle =
        at::addThreadLocalCallback(at::RecordFunctionCallback(count_looks).scopes({at::RecordScope::FUNCTION}));
    for (int i = 0; i < 3; ++i) rig.step.run();
    at::removeCallback(handle);
    EXPECT_EQ(looks, expected);
  }
}

TEST(TrainStep, IsTheSameForTheSameSeed) {
  TrainRig a;
  TrainRig b;
  for (int i = 0; i < 5; ++i) EXPECT_EQ(loss_after(a, 1), loss_after(b, 1));
}

// At each mark, tells what the step has done to a weight.
class WatchingClock final : public measure::EventClock {
 public:
  explicit WatchingClock(at::Tensor weight) : weight_(std::move(weight)), before_(weight_.detach().clone()) {}

  void mark() override {
    const bool is_updated = !at::equal(weight_, before_);
    seen.push_back(is_updated ? "updated" : weight_.grad().defined() ? "backward" : "forward");
  }
  std::vector<double> take_seconds() override { return {}; }

  std::vector<std::string> seen;

 private:
  at::Tensor weight_;
  at::Tensor before_;
};

TEST(TrainStep, MarksTheEndsOfItsParts) {
  TrainRig plain;
  TrainRig marked;
  for (int i = 0; i < 3; ++i) {
    plain.step.run();
    WatchingClock clock(marked.parameters.all()[0].tensor);
    ASSERT_TRUE(marked.step.run_marked(clock));
    EXPECT_EQ(clock.seen, (std::vector<std::string>{"forward", "backward", "updated"}));
    EXPECT_EQ(plain.step.loss(), marked.step.loss());
  }
}

// If the gradient was not set to zero, it would be about twice as large after the second step.
TEST(TrainStep, ZeroesGradients) {
  TrainRig rig;
  rig.step.run();
  const at::Tensor first = rig.parameters.all()[0].tensor.grad().clone();
  rig.step.run();
  const at::Tensor second = rig.parameters.all()[0].tensor.grad();
  EXPECT_LT((second - first).abs().max().item<float>(), 0.5F * first.abs().max().item<float>());
}

TEST(TrainStep, WithoutAnOptimizerGradientsAddUpAndWeightsStay) {
  TrainRig rig(settings_of("none", Precision::fp32, {}));
  const at::Tensor weight = rig.parameters.all()[0].tensor;
  const at::Tensor before = weight.detach().clone();
  rig.step.run();
  const at::Tensor first = weight.grad().clone();
  EXPECT_GT(first.abs().max().item<float>(), 0);
  for (int i = 0; i < 3; ++i) rig.step.run();
  EXPECT_TRUE(at::allclose(weight.grad(), 4 * first));
  EXPECT_TRUE(at::equal(weight, before));
}

// Records the gradients and then doubles them.
class RecordingDoubler final : public GradientHook {
 public:
  void apply(const std::vector<at::Tensor>& parameters) override {
    found.clear();
    for (const at::Tensor& parameter : parameters) {
      found.push_back(parameter.grad().clone());
      parameter.grad().mul_(2);
    }
  }

  std::vector<at::Tensor> found;
};

TEST(TrainStep, UpdatesByTheGradientsThatTheHookLeaves) {
  RecordingDoubler hook;
  TrainRig rig(hooked(sgd(0.25), hook));
  TrainRig plain(sgd(0.5));
  rig.step.run();
  plain.step.run();
  ASSERT_EQ(hook.found.size(), 4U);
  for (std::size_t i = 0; i < hook.found.size(); ++i) {
    EXPECT_TRUE(at::equal(hook.found[i], plain.parameters.all()[i].tensor.grad())) << i;
    EXPECT_TRUE(at::allclose(rig.parameters.all()[i].tensor, plain.parameters.all()[i].tensor)) << i;
  }
}

// The last two parameters get ready first. Notes whether they are updated when the others get ready.
class TwoParts final : public GradientHook {
 public:
  [[nodiscard]] std::vector<std::vector<at::Tensor>> parts_of(
      const std::vector<at::Tensor>& parameters) const override {
    return {{parameters[3], parameters[2]}, {parameters[0], parameters[1]}};
  }
  void apply(const std::vector<at::Tensor>& parameters) override {
    if (!watched.defined()) {
      watched = parameters.front();
      before = watched.detach().clone();
    } else {
      updated_early = !at::equal(watched, before);
    }
  }

  at::Tensor watched, before;
  bool updated_early = false;
};

TEST(TrainStep, UpdatesEachPartAsSoonAsItIsReady) {
  for (const Precision precision : {Precision::fp32, Precision::fp16}) {
    TwoParts hook;
    TrainRig rig(hooked(with(precision), hook));
    TrainRig plain(with(precision));
    rig.step.run();
    plain.step.run();
    EXPECT_EQ(hook.updated_early, precision == Precision::fp32) << "fp16 first looks at all gradients";
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_TRUE(at::equal(rig.parameters.all()[i].tensor, plain.parameters.all()[i].tensor)) << i;
  }
}

// Gradients that other ranks add must be checked, too.
TEST(TrainStep, InFp16OverflowIsLookedForBehindTheHook) {
  ScalingHook hook(0, std::numeric_limits<double>::infinity());
  TrainRig rig(hooked(with(Precision::fp16), hook));
  const at::Tensor before = rig.parameters.all()[2].tensor.detach().clone();
  rig.step.run();
  EXPECT_TRUE(at::equal(rig.parameters.all()[2].tensor, before));
}

TEST(TrainStep, GivesEvidenceOfItsFirstStepBeforeTheUpdate) {
  TrainRig rig(sgd(), true);
  const at::Tensor bias = rig.parameters.all()[3].tensor.detach().clone();
  rig.step.run();
  const tests::Scratch folder;
  rig.evidence.write((folder / "first").string());
  const base::SafetensorsHeader header = base::read_safetensors_header(folder / "first");
  std::set<std::string> names;
  for (const auto& [name, entry] : header.tensors) names.insert(name);
  EXPECT_EQ(names, (std::set<std::string>{"input", "target", "logits", "loss", "grad.first.weight", "grad.first.bias",
                                          "grad.last.weight", "grad.last.bias"}));
  const at::Tensor updated = bias - 0.5 * rig.parameters.all()[3].tensor.grad();
  EXPECT_TRUE(at::allclose(rig.parameters.all()[3].tensor.detach(), updated));
}

}  // namespace
}  // namespace mpsbench::step
