// Makes a TorchScript file for the tests of nn/ and worker/.
#pragma once

#include "schema/network_plan.hpp"

#include <gtest/gtest.h>
#include <torch/script.h>
#include <unistd.h>

#include <cstdio>
#include <string>

namespace mpsbench::tests {

// A file with the module y = x * weight, which is doubled in training mode. The destructor deletes the file.
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
  // Tests run at the same time, each in a separate process.
  std::string path_ = ::testing::TempDir() + "script_file_" + std::to_string(::getpid()) + ".pt";
};

// Returns a plan for rows of three numbers, like the one that the front makes for such a file.
inline schema::NetworkPlan plan_of_script() {
  schema::NetworkPlan plan;
  plan.inputs = {{"input", schema::DType::float32, {1, 3}, "ones", 0}};
  plan.slots = 2;
  plan.output = 1;
  schema::NetworkNode node;
  node.name = "0";
  node.type = schema::kScriptLayer;
  node.inputs = {0};
  node.output = 1;
  node.shape = {1, 3};
  plan.nodes = {node};
  return plan;
}

}  // namespace mpsbench::tests
