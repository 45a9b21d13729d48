// A user's TorchScript module. Loading or running it executes the code in its file.
#pragma once

#include "nn/model.hpp"

#include <c10/core/Device.h>

#include <memory>
#include <string>
#include <vector>

namespace mpsbench::nn {

class ScriptModel final : public Model {
 public:
  // Parameters and buffers keep the names that they have in the module. Tensors that the file has frozen are
  // not trainable. Throws Error(usage) if FILE is not a TorchScript module.
  ScriptModel(const std::string& file, const c10::Device& device, bool training);

  // Returns the output, or the first of several outputs. Throws Error(usage) if it is not a tensor, or if a
  // constant of the script was left on another device.
  [[nodiscard]] at::Tensor forward(const std::vector<at::Tensor>& inputs) override;
  [[nodiscard]] std::unique_ptr<Model> evaluating() const override;
  // Always in evaluation mode: a module's dropout cannot be switched off alone.
  [[nodiscard]] std::unique_ptr<Model> copy_without_dropout(const c10::Device& device, bool training) const override;

 private:
  struct Code;  // hides a LibTorch header that is slow to compile
  ScriptModel(std::shared_ptr<Code> code, bool training);

  std::shared_ptr<Code> code_;
};

}  // namespace mpsbench::nn
