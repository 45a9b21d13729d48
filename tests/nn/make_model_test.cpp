#include "nn/make_model.hpp"

#include "base/sha256.hpp"
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
  schema::LaunchRequest request;
  request.network_plan = tests::small_mlp(2);
  request.spec.mode = schema::Mode::train;
  request.spec.seed = 3;
  const tests::Scratch folder;
  const std::string file = (folder.root() / "weights").string();
  const auto drawn = make_model(request, at::kCPU);
  std::vector<std::pair<std::string, at::Tensor>> tensors;
  for (const NamedTensor& one : drawn->parameters().all()) tensors.emplace_back(one.name, one.tensor);
  write_safetensors(file, tensors);
  schema::LaunchRequest other_seed = request;
  other_seed.spec.mode = schema::Mode::infer;
  other_seed.spec.seed = 4;
  const auto other = make_model(other_seed, at::kCPU);
  schema::LaunchRequest with_weights = other_seed;
  with_weights.weights = file;
  const auto loaded = make_model(with_weights, at::kCPU);
  const at::Tensor input = at::ones({2, 8});
  EXPECT_TRUE(at::equal(drawn->forward({input}), loaded->forward({input})));
  EXPECT_FALSE(at::equal(drawn->forward({input}), other->forward({input})));
  EXPECT_TRUE(drawn->training());
  EXPECT_FALSE(loaded->training());
}

TEST(MakeModel, OfATorchScriptPlanIsTheFile) {
  const tests::ScriptFile file;
  schema::LaunchRequest request;
  request.network_plan = tests::plan_of_script();
  request.spec.mode = schema::Mode::train;
  request.weights = file.path();
  const auto model = make_model(request, at::kCPU);
  EXPECT_EQ(model->forward({at::ones({1, 3})}).sum().item<float>(), 12);
  request.weights.reset();
  EXPECT_TRUE(tests::contains(tests::usage_error_of([&] { (void)make_model(request, at::kCPU); }),
                              "works only with --model FILE.pt"));
}

TEST(MakeModel, OfAPackagesPlanIsTheFile) {
  const tests::Scratch folder;
  const tests::ScopedVariable restored("TMPDIR", folder.root().c_str());  // loading a package sets it
  const std::string file = folder.write("text.pt2", "no package").string();
  schema::LaunchRequest request;
  request.network_plan = tests::plan_of_script();
  request.network_plan.nodes[0].type = schema::kPackageLayer;
  request.spec.mode = schema::Mode::infer;
  const auto error = [&] { return tests::usage_error_of([&] { (void)make_model(request, at::kCPU); }); };
  EXPECT_TRUE(tests::contains(error(), "works only with --model FILE.pt2"));
  request.package = schema::PackageFile{
      .path = file, .sha256 = base::sha256_hex("no package"), .folder = folder.root().string()};
  EXPECT_TRUE(tests::contains(error(), file + ": the package's function model cannot be loaded"));
  request.package->sha256 = base::sha256_hex("another one");
  EXPECT_TRUE(tests::contains(error(), file + ": this package is damaged or was changed"));
  request.spec.mode = schema::Mode::train;
  EXPECT_TRUE(tests::contains(error(), "--mode infer"));
}

}  // namespace
}  // namespace mpsbench::nn
