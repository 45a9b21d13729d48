#include "nn/weights.hpp"

#include "base/error.hpp"
#include "nn/parameters.hpp"
#include "nn/plans.hpp"

#include <ATen/ATen.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

namespace mpsbench::nn {
namespace {

using tests::small_mlp;
using Tensors = std::vector<std::pair<std::string, at::Tensor>>;

class Weights : public ::testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(file_); }

  std::string file_ =
      (std::filesystem::temp_directory_path() / ("weights_test_" + std::to_string(::getpid()))).string();
};

Tensors tensors_of(const Parameters& parameters) {
  Tensors tensors;
  for (const NamedTensor& named : parameters.all()) tensors.emplace_back(named.name, named.tensor);
  return tensors;
}

TEST_F(Weights, ComeBackAsTheyWere) {
  const schema::NetworkPlan plan = small_mlp(1);
  const Parameters drawn = Parameters::draw(plan, 3, at::kCPU);
  write_safetensors(file_, tensors_of(drawn));
  const Parameters loaded = Parameters::load(plan, file_, 3, at::kCPU);
  ASSERT_EQ(loaded.all().size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(loaded.all()[i].name, drawn.all()[i].name);
    EXPECT_TRUE(at::equal(loaded.all()[i].tensor, drawn.all()[i].tensor));
  }
}

TEST_F(Weights, OfHalfPrecisionAreWidened) {
  const schema::NetworkPlan plan = small_mlp(1);
  Tensors tensors = tensors_of(Parameters::draw(plan, 3, at::kCPU));
  for (auto& [name, tensor] : tensors) tensor = tensor.to(at::kBFloat16);
  write_safetensors(file_, tensors);
  const at::Tensor loaded = Parameters::load(plan, file_, 3, at::kCPU).all()[0].tensor;
  EXPECT_EQ(loaded.scalar_type(), at::kFloat);
  EXPECT_TRUE(at::equal(loaded, tensors[0].second.to(at::kFloat)));
}

TEST_F(Weights, OfAnotherNetworkAreRefusedByName) {
  Tensors tensors = tensors_of(Parameters::draw(small_mlp(1), 3, at::kCPU));
  tensors[0].second = at::zeros({2, 2});
  tensors[1].first = "first.offset";
  write_safetensors(file_, tensors);
  try {
    (void)Parameters::load(small_mlp(1), file_, 3, at::kCPU);
    FAIL();
  } catch (const base::Error& error) {
    EXPECT_EQ(std::string(error.what()),
              file_ +
                  ": these are not the weights of 'net'; missing: first.bias; wrong shape: first.weight is "
                  "[2, 2] instead of [16, 8]; more than the network has: first.offset");
  }
}

}  // namespace
}  // namespace mpsbench::nn
