#include "nn/script_model.hpp"

#include "nn/script_file.hpp"
#include "support/errors.hpp"

#include <ATen/ATen.h>
#include <gtest/gtest.h>

#include <string>

namespace mpsbench::nn {
namespace {

const c10::Device kCpu(at::kCPU);

using testing::ScriptFile;

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

TEST(ScriptModel, TakesTheFirstOfSeveralOutputs) {
  const ScriptFile tuple("(y, x)");
  ScriptModel model(tuple.path(), kCpu, false);
  EXPECT_EQ(sum_of(model), 6);
}

TEST(ScriptModel, RefusesAnOutputThatIsNoTensor) {
  const ScriptFile number("1.5");
  ScriptModel model(number.path(), kCpu, false);
  EXPECT_TRUE(tests::contains(tests::usage_error_of([&] { (void)sum_of(model); }), "must return a tensor"));
}

TEST(ScriptModel, RefusesAnotherFile) {
  EXPECT_TRUE(tests::contains(tests::usage_error_of([] { ScriptModel("/dev/null", kCpu, false); }),
                              "not a TorchScript module"));
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

TEST(ScriptModel, SharesItsParametersAndCopiesThemForTheCpu) {
  const ScriptFile file;
  ScriptModel model(file.path(), kCpu, true);
  model.parameters().require_gradients();
  const auto same = model.evaluating();
  const auto copy = model.evaluating_on_cpu();
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
