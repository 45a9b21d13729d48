#include "nn/model_files.hpp"
#include "nn/script_file.hpp"
#include "support/errors.hpp"
#include "support/scratch.hpp"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <string>

namespace mpsbench::nn {
namespace {

const c10::Device kCpu(at::kCPU);

using tests::ScriptFile;

float sum_of(Model& model) {
  return model.forward({at::ones({1, 3})}).sum().item<float>();
}

TEST(ScriptModel, RunsInItsOwnModeWhicheverRanLast) {
  const ScriptFile file;
  ScriptModel training(file.path(), kCpu, true);
  const auto evaluating = training.evaluating();
  EXPECT_TRUE(training.training());
  EXPECT_FALSE(evaluating->training());
  EXPECT_EQ(sum_of(training), 12);
  EXPECT_EQ(sum_of(*evaluating), 6);
  EXPECT_EQ(sum_of(training), 12);
}

TEST(ScriptModel, SaysWhatTrains) {
  const ScriptFile file;
  const ScriptModel model(file.path(), kCpu, true);
  const auto& tensors = model.parameters().all();
  ASSERT_EQ(tensors.size(), 3U);
  EXPECT_EQ(tensors[0].name, "weight");
  EXPECT_TRUE(tensors[0].trainable);
  EXPECT_FALSE(tensors[1].trainable);
  EXPECT_EQ(tensors[2].name, "count");
  EXPECT_FALSE(tensors[2].trainable);
}

TEST(ScriptModel, TakesTheFirstOfSeveralOutputsButOnlyATensor) {
  const auto sum = [](const char* result) {
    const ScriptFile file(result);
    ScriptModel model(file.path(), kCpu, false);
    return sum_of(model);
  };
  EXPECT_EQ(sum("(y, x)"), 6);
  EXPECT_TRUE(tests::contains(tests::usage_error_of([&] { (void)sum("1.5"); }), "must return a tensor"));
}

TEST(ScriptModel, RefusesAnotherFile) {
  EXPECT_EQ(tests::usage_error_of([] { ScriptModel("/dev/null", kCpu, false); }),
            "/dev/null: not a TorchScript module that this LibTorch can load (it is another kind of file, or "
            "damaged); save it with torch.jit.script or torch.jit.trace");
}

// As on MPS. For this error the interpreter's message has a different form than for others.
TEST(ScriptModel, BeginsWithTheWordsOfAMissingOperator) {
  const ScriptFile file("torch._triton_scaled_dot_attention(y, y, y)");
  ScriptModel model(file.path(), kCpu, false);
  try {
    (void)sum_of(model);
    FAIL() << "the CPU has that operator";
  } catch (const c10::Error& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("Could not run 'aten::_triton_scaled_dot_attention'"))
        << error.what();
  }
}

// Saves MODULE and returns the error of a step on another device. Meta tensors take the place of GPU tensors.
std::string error_elsewhere(const torch::jit::Module& module) {
  const tests::Scratch folder;
  const std::string path = (folder / "shift.pt").string();
  module.save(path);
  ScriptModel here(path, kCpu, false);
  EXPECT_EQ(sum_of(here), 6);
  const c10::Device meta(at::kMeta);
  ScriptModel there(path, meta, false);
  return tests::usage_error_of([&] { (void)there.forward({at::ones({1, 3}, meta)}); });
}

// y = x + a constant of three numbers, as torch.jit.trace makes it.
TEST(ScriptModel, NamesAConstantOnAnotherDevice) {
  torch::jit::Module module("Shift");
  module.define("def forward(self, x):\n  return x\n");
  const auto graph = module.get_method("forward").graph();
  torch::jit::Value* input = graph->inputs().at(1);
  {
    const torch::jit::WithInsertPoint first(graph->block()->return_node());
    torch::jit::Value* constant = graph->insertConstant(at::ones({3}));
    torch::jit::Value* sum = graph->insert(c10::aten::add, {input, constant});
    graph->block()->replaceOutput(0, sum);
  }
  const std::string error = error_elsewhere(module);
  EXPECT_TRUE(tests::contains(error, " is on cpu in the TorchScript method 'forward', but the step runs on meta"))
      << error;
}

// As torch.jit.trace writes the device of the tensors that the code makes.
TEST(ScriptModel, NamesAnOperationThatMakesATensorOnAnotherDevice) {
  torch::jit::Module module("Shift");
  module.define("def forward(self, x):\n  return x + torch.ones([3], device=torch.device('cpu'))\n");
  const std::string error = error_elsewhere(module);
  EXPECT_TRUE(tests::contains(error,
                              "the tensor of 'aten::ones' is made on cpu in the TorchScript method 'forward', but "
                              "the step runs on meta"))
      << error;
}

TEST(ScriptModel, SharesItsParametersAndCopiesThemForTheCpu) {
  const ScriptFile file;
  ScriptModel model(file.path(), kCpu, true);
  model.parameters().require_gradients();
  const auto same = model.evaluating();
  const auto copy = model.copy_without_dropout(kCpu, true);
  model.forward({at::ones({1, 3})}).sum().backward();
  const std::vector<at::Tensor> trainable = model.parameters().trainable();
  ASSERT_EQ(trainable.size(), 1U);
  EXPECT_EQ(trainable[0].grad().sum().item<float>(), 6);
  {
    const at::NoGradGuard no_grad;
    at::Tensor(trainable[0]).zero_();
  }
  EXPECT_EQ(sum_of(model), 0);
  EXPECT_EQ(sum_of(*same), 0);
  EXPECT_EQ(sum_of(*copy), 6);
}

}  // namespace
}  // namespace mpsbench::nn
