#include "step/infer_step.hpp"

#include "base/safetensors.hpp"
#include "nn/network.hpp"
#include "nn/plans.hpp"
#include "support/mnist_files.hpp"

#include <ATen/ATen.h>
#include <ATen/SequenceNumber.h>
#include <ATen/core/grad_mode.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>

namespace mpsbench::step {

namespace {

TEST(InferStep, HasNoLoss) {
  const schema::NetworkPlan plan = tests::small_mlp(2, schema::Mode::infer);
  const nn::Parameters parameters = nn::Parameters::draw(plan, 1, at::kCPU);
  nn::Network network(plan, parameters, false);
  const data::Batch batch = data::make_synthetic_batch(plan, 1, at::kCPU);
  InferStep step(network, batch, Precision::fp32, Gradients::none, nullptr);
  step.run();
  EXPECT_FALSE(step.loss().has_value());
}

TEST(InferStep, GivesEvidenceOfItsFirstStep) {
  const schema::NetworkPlan plan = tests::small_mlp(2, schema::Mode::infer);
  const nn::Parameters parameters = nn::Parameters::draw(plan, 1, at::kCPU);
  nn::Network network(plan, parameters, false);
  const data::Batch batch = data::make_synthetic_batch(plan, 1, at::kCPU);
  Evidence evidence(plan);
  InferStep step(network, batch, Precision::fp32, Gradients::none, &evidence);
  step.run();
  step.run();
  const auto file = std::filesystem::temp_directory_path() / ("infer_step_test_" + std::to_string(::getpid()));
  evidence.write(file.string());
  const base::SafetensorsHeader header = base::read_safetensors_header(file);
  std::filesystem::remove(file);
  ASSERT_EQ(header.tensors.size(), 2U);
  EXPECT_EQ(header.tensors.at("input").shape, (std::vector<std::int64_t>{2, 8}));
  EXPECT_EQ(header.tensors.at("logits").shape, (std::vector<std::int64_t>{2, 4}));
}

// Returns the number of nodes that a backward pass would visit.
std::uint64_t nodes_recorded(Gradients gradients) {
  const schema::NetworkPlan plan = tests::small_mlp(2, schema::Mode::infer);
  nn::Parameters parameters = nn::Parameters::draw(plan, 1, at::kCPU);
  parameters.require_gradients();
  nn::Network network(plan, parameters, false);
  const data::Batch batch = data::make_synthetic_batch(plan, 1, at::kCPU);
  InferStep step(network, batch, Precision::fp32, gradients, nullptr);
  const std::uint64_t before = at::sequence_number::peek();
  step.run();
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
  const schema::Evaluation test = evaluate(plan, network, images, data::DataPart::test, Precision::fp32);
  EXPECT_EQ(test.part, data::DataPart::test);
  EXPECT_EQ(test.rows, 25);
  EXPECT_EQ(test.steps, 4);
  EXPECT_EQ(test.correct, 3);  // rows 3, 13 and 23
  EXPECT_GT(test.seconds, 0);
  const schema::Evaluation train = evaluate(plan, network, images, data::DataPart::train, Precision::fp32);
  EXPECT_EQ(train.rows, 88);  // only whole batches; the part has 90 rows
  EXPECT_EQ(train.steps, 11);
  const schema::Evaluation validation = evaluate(plan, network, images, data::DataPart::validation, Precision::fp32);
  EXPECT_EQ(validation.rows, 10);
  EXPECT_EQ(validation.steps, 2);
  EXPECT_EQ(validation.correct, 1);
}

}  // namespace

}  // namespace mpsbench::step
