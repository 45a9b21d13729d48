#include "nn/script_module.hpp"

#include "nn/network.hpp"
#include "support/errors.hpp"

#include <gtest/gtest.h>
#include <torch/script.h>
#include <unistd.h>

#include <cstdio>
#include <string>

namespace mpsbench::nn {
namespace {

const c10::Device kCpu(at::kCPU);

// y = x * weight, doubled while training, as a file that is gone with the object.
class ScriptFile {
 public:
  explicit ScriptFile(const std::string& result = "y") {
    torch::jit::Module module("Scale");
    module.register_parameter("weight", torch::full({3}, 2.0).requires_grad_(), false);
    module.register_parameter("frozen", torch::ones({1}), false);
    module.register_buffer("count", torch::zeros({1}));
    module.register_attribute("training", c10::BoolType::get(), true);
    module.define(
        "def forward(self, x):\n  y = x * self.weight * self.frozen\n  if self.training:\n    y = y * 2\n  "
        "return " +
        result + "\n");
    module.save(path_);
  }
  ~ScriptFile() { std::remove(path_.c_str()); }
  ScriptFile(const ScriptFile&) = delete;
  ScriptFile& operator=(const ScriptFile&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  // Tests run beside each other, each in a process of its own.
  std::string path_ = testing::TempDir() + "script_module_test_" + std::to_string(::getpid()) + ".pt";
};

schema::Plan plan_of_script() {
  schema::Plan plan;
  plan.slots = 2;
  plan.output = 1;
  schema::PlanNode node;
  node.name = "0";
  node.type = schema::kScriptLayer;
  node.inputs = {0};
  node.output = 1;
  plan.nodes = {node};
  return plan;
}

TEST(ScriptModule, RunsInTheModeThatIsAskedFor) {
  const ScriptFile file;
  ScriptModule module(file.path(), kCpu);
  const at::Tensor x = torch::ones({1, 3});
  EXPECT_EQ(module.forward({x}, false).sum().item<float>(), 6);
  EXPECT_EQ(module.forward({x}, true).sum().item<float>(), 12);
  EXPECT_EQ(module.forward({x}, false).sum().item<float>(), 6);
}

TEST(ScriptModule, SaysWhatTrains) {
  const ScriptFile file;
  const auto tensors = ScriptModule(file.path(), kCpu).tensors();
  ASSERT_EQ(tensors.size(), 3U);
  EXPECT_EQ(tensors[0].name, "weight");
  EXPECT_TRUE(tensors[0].trainable);
  EXPECT_FALSE(tensors[1].trainable);
  EXPECT_EQ(tensors[2].name, "count");
  EXPECT_FALSE(tensors[2].trainable);
}

TEST(ScriptModule, TakesTheFirstOfSeveralOutputs) {
  const ScriptFile tuple("(y, x)");
  EXPECT_EQ(ScriptModule(tuple.path(), kCpu).forward({torch::ones({1, 3})}, false).sum().item<float>(), 6);
}

TEST(ScriptModule, RefusesAnOutputThatIsNoTensor) {
  const ScriptFile number("1.5");
  ScriptModule module(number.path(), kCpu);
  EXPECT_TRUE(
      tests::contains(tests::usage_error_of([&] { (void)module.forward({torch::ones({1, 3})}, false); }),
                      "must return a tensor"));
}

TEST(ScriptModule, RefusesAnotherFile) {
  EXPECT_TRUE(tests::contains(tests::usage_error_of([] { ScriptModule("/dev/null", kCpu); }),
                              "not a TorchScript module"));
}

// As on MPS: the interpreter words it unlike other errors.
TEST(ScriptModule, BeginsWithTheWordsOfAMissingOperator) {
  const ScriptFile file("torch._triton_scaled_dot_attention(y, y, y)");
  ScriptModule module(file.path(), kCpu);
  try {
    (void)module.forward({torch::ones({1, 3})}, false);
    FAIL() << "the CPU has that operator";
  } catch (const c10::Error& error) {
    EXPECT_TRUE(std::string(error.what()).starts_with("Could not run 'aten::_triton_scaled_dot_attention'"))
        << error.what();
  }
}

TEST(ScriptModule, AsANetworkSharesItsParametersAndCopiesThemForTheCpu) {
  const ScriptFile file;
  Parameters parameters = Parameters::load(plan_of_script(), file.path(), kCpu);
  parameters.require_gradients();
  Network network(plan_of_script(), parameters, true);
  const Parameters copy = parameters.on_cpu();
  network.forward({torch::ones({1, 3})}).sum().backward();
  EXPECT_EQ(parameters.trainable().size(), 1U);
  EXPECT_EQ(parameters.trainable()[0].grad().sum().item<float>(), 6);
  {
    const at::NoGradGuard no_grad;
    parameters.trainable()[0].zero_();
  }
  EXPECT_EQ(network.forward({torch::ones({1, 3})}).sum().item<float>(), 0);
  Network other(plan_of_script(), copy, false);
  EXPECT_EQ(other.forward({torch::ones({1, 3})}).sum().item<float>(), 6);
}

}  // namespace
}  // namespace mpsbench::nn
