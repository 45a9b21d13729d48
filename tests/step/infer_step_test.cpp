#include "step/infer_step.hpp"

#include "base/safetensors.hpp"
#include "nn/network.hpp"
#include "nn/plans.hpp"
#include "support/mnist_files.hpp"

#include <ATen/ATen.h>
#include <ATen/SequenceNumber.h>
#include <ATen/core/grad_mode.h>
#include <gtest/gtest.h>

#include <cstdint>

namespace mpsbench::step {
namespace {

struct InferRig {
  void run(Gradients gradients = Gradients::none, Evidence* evidence = nullptr) {
    parameters.require_gradients();
    nn::Network network(plan, parameters, false);
    InferStep step(network, batch, Precision::fp32, gradients, evidence);
    for (int i = 0; i < 2; ++i) step.run();
    EXPECT_FALSE(step.loss().has_value());
  }

  schema::NetworkPlan plan = tests::small_mlp(2, schema::Mode::infer);
  nn::Parameters parameters = nn::Parameters::draw(plan, 1, at::kCPU);
  data::Batch batch = data::make_synthetic_batch(plan, 1, at::kCPU);
};

TEST(InferStep, GivesEvidenceOfItsFirstStep) {
  InferRig rig;
  Evidence evidence(rig.plan);
  rig.run(Gradients::none, &evidence);
  const tests::Scratch folder;
  evidence.write((folder / "first").string());
  const base::SafetensorsHeader header = base::read_safetensors_header(folder / "first");
  ASSERT_EQ(header.tensors.size(), 2U);
  EXPECT_EQ(header.tensors.at("input").shape, (std::vector<std::int64_t>{2, 8}));
  EXPECT_EQ(header.tensors.at("logits").shape, (std::vector<std::int64_t>{2, 4}));
}

// Returns the number of nodes that a backward pass would visit.
std::uint64_t nodes_recorded(Gradients gradients) {
  const std::uint64_t before = at::sequence_number::peek();
  InferRig().run(gradients);
  return at::sequence_number::peek() - before;
}

TEST(InferStep, RecordsWhatBackwardNeedsOnlyIfTold) {
  EXPECT_EQ(nodes_recorded(Gradients::none), 0U);
  EXPECT_GT(nodes_recorded(Gradients::recorded), 0U);
}

// A network that answers 3 for every row.
TEST(Evaluate, CountsTheRowsThatAreRight) {
  const tests::Scratch folder;
  tests::write_mnist(folder, 100, 25);
  const schema::NetworkPlan plan = tests::plan_of(
      tests::image_input(1, 28),
      nlohmann::json::array({{{"type", "flatten"}}, {{"type", "linear"}, {"name", "last"}, {"out_features", 10}}}), 4);
  const nn::Network network(plan, nn::Parameters::draw(plan, 1, at::kCPU), /*training=*/true);
  {
    const at::NoGradGuard no_grad;
    for (const nn::NamedTensor& one : network.parameters().all()) {
      at::Tensor tensor = one.tensor;
      tensor.zero_();
      if (one.name == "last.bias") tensor[3] = 1;
    }
  }
  const data::DataOptions images{.dataset = schema::Dataset::mnist,
                                 .folder = folder.root().string(),
                                 .vocabulary = "",
                                 .batch_size = 8,
                                 .workers = 1};
  const auto evaluated = [&](data::DataPart part) {
    const schema::Evaluation found = evaluate(plan, network, images, part, Precision::fp32);
    EXPECT_EQ(found.part, part);
    EXPECT_GT(found.seconds, 0);
    return std::vector{found.rows, found.steps, found.correct};
  };
  using Counts = std::vector<std::int64_t>;
  EXPECT_EQ(evaluated(data::DataPart::test), (Counts{25, 4, 3}));  // rows 3, 13 and 23 are right
  EXPECT_EQ(evaluated(data::DataPart::validation), (Counts{10, 2, 1}));
  const Counts train = evaluated(data::DataPart::train);
  EXPECT_EQ(train.at(0), 88);  // only whole batches; the part has 90 rows
  EXPECT_EQ(train.at(1), 11);
}

at::Tensor attend(double dropout, bool gradients = false) {
  const auto make = [&] { return at::randn({2, 2, 16, 8}).requires_grad_(gradients); };
  return at::scaled_dot_product_attention(make(), make(), make(), {}, dropout);
}

TEST(AttentionWatch, SeesTheKernelThatLibtorchChose) {
  const AttentionWatch watch;
  attend(0);
  EXPECT_EQ(watch.backend(), "flash");
}

TEST(AttentionWatch, SeesThatDropoutTakesAnotherAndNamesAll) {
  const AttentionWatch watch;
  attend(0.5, true).sum().backward();
  EXPECT_EQ(watch.backend(), "math");
  attend(0);
  EXPECT_EQ(watch.backend(), "flash+math");
}

TEST(AttentionWatch, IsSilentWithoutAttentionAndAfterItsEnd) {
  {
    const AttentionWatch ended;
  }
  attend(0);
  const AttentionWatch watch;
  at::randn({4}).sum();
  EXPECT_EQ(watch.backend(), "");
}

}  // namespace
}  // namespace mpsbench::step
