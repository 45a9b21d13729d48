#include "nn/make_model.hpp"

#include "nn/plans.hpp"
#include "nn/script_file.hpp"
#include "nn/weights.hpp"
#include "support/errors.hpp"
#include "support/scratch.hpp"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

namespace mpsbench::nn {
namespace {

TEST(MakeModel, DrawsFromTheSeedOrLoads) {
  const schema::NetworkPlan plan = testing::small_mlp(2);
  const tests::Scratch folder;
  const std::string file = (folder.root() / "weights").string();
  const auto drawn = make_model(plan, std::nullopt, 3, at::kCPU, true);
  std::vector<std::pair<std::string, at::Tensor>> tensors;
  for (const NamedTensor& one : drawn->parameters().all()) tensors.emplace_back(one.name, one.tensor);
  write_safetensors(file, tensors);
  const auto loaded = make_model(plan, file, 4, at::kCPU, false);
  const auto other = make_model(plan, std::nullopt, 4, at::kCPU, false);
  const at::Tensor input = at::ones({2, 8});
  EXPECT_TRUE(at::equal(drawn->forward({input}), loaded->forward({input})));
  EXPECT_FALSE(at::equal(drawn->forward({input}), other->forward({input})));
  EXPECT_TRUE(drawn->training());
  EXPECT_FALSE(loaded->training());
}

TEST(MakeModel, OfATorchScriptPlanIsTheFile) {
  const testing::ScriptFile file;
  const schema::NetworkPlan plan = testing::plan_of_script();
  const auto model = make_model(plan, file.path(), 0, at::kCPU, true);
  EXPECT_EQ(model->forward({at::ones({1, 3})}).sum().item<float>(), 12);
  EXPECT_TRUE(
      tests::contains(tests::usage_error_of([&] { (void)make_model(plan, std::nullopt, 0, at::kCPU, true); }),
                      "works only with --model FILE.pt"));
}

}  // namespace
}  // namespace mpsbench::nn
