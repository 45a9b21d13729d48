#include "step/infer_step.hpp"

#include "base/safetensors.hpp"
#include "nn/network.hpp"
#include "nn/plans.hpp"

#include <ATen/ATen.h>
#include <ATen/SequenceNumber.h>
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
  const auto file =
      std::filesystem::temp_directory_path() / ("infer_step_test_" + std::to_string(::getpid()));
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

}  // namespace
}  // namespace mpsbench::step
