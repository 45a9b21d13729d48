// A user's TorchScript module. Loading and running it runs the code in its file.
#pragma once

#include "nn/model.hpp"

#include <c10/core/Device.h>

#include <memory>
#include <string>
#include <vector>

namespace mpsbench::nn {

class ScriptModel final : public Model {
 public:
  // Its parameters and buffers have the module's own names; what the file has frozen is not trainable. Throws
  // Error(usage) for a file that is no such module.
  ScriptModel(const std::string& file, const c10::Device& device, bool training);

  // The output, or the first of several. Throws Error(usage) when that is no tensor.
  [[nodiscard]] at::Tensor forward(const std::vector<at::Tensor>& inputs) override;
  [[nodiscard]] std::unique_ptr<Model> evaluating() const override;
  // Always of copies.
  [[nodiscard]] std::unique_ptr<Model> evaluating_on_cpu() const override;

 private:
  struct Code;  // keeps LibTorch's heavy header out of here
  ScriptModel(std::shared_ptr<Code> code, bool training);

  std::shared_ptr<Code> code_;
};

}  // namespace mpsbench::nn
