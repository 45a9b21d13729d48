#include "step/infer_step.hpp"

#include "base/safetensors.hpp"
#include "nn/plans.hpp"

#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

namespace mpsbench::step {
namespace {

TEST(InferStep, HasNoLoss) {
  const schema::Plan plan = testing::small_mlp(2, schema::Mode::infer);
  const nn::Parameters parameters = nn::Parameters::draw(plan, 1, at::kCPU);
  nn::Network network(plan, parameters, false);
  const data::Batch batch = data::make_synthetic_batch(plan, 1, at::kCPU);
  InferStep step(network, parameters, batch, Precision::fp32, nullptr);
  step.run();
  EXPECT_FALSE(step.loss().has_value());
}

TEST(InferStep, GivesEvidenceOfItsFirstStep) {
  const schema::Plan plan = testing::small_mlp(2, schema::Mode::infer);
  const nn::Parameters parameters = nn::Parameters::draw(plan, 1, at::kCPU);
  nn::Network network(plan, parameters, false);
  const data::Batch batch = data::make_synthetic_batch(plan, 1, at::kCPU);
  Evidence evidence(plan);
  InferStep step(network, parameters, batch, Precision::fp32, &evidence);
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

}  // namespace
}  // namespace mpsbench::step
