// A user's TorchScript module. Loading and running it runs the code in its file.
#pragma once

#include "nn/named_tensor.hpp"

#include <c10/core/Device.h>

#include <memory>
#include <string>
#include <vector>

namespace mpsbench::nn {

class ScriptModule {
 public:
  // Throws Error(usage) for a file that is no such module.
  ScriptModule(const std::string& file, const c10::Device& device);
  ~ScriptModule();
  ScriptModule(const ScriptModule&) = delete;
  ScriptModule& operator=(const ScriptModule&) = delete;

  // Parameters and buffers by the module's own names; they are the module's, not copies. What the file has
  // frozen is not trainable.
  [[nodiscard]] std::vector<NamedTensor> tensors() const;
  [[nodiscard]] std::shared_ptr<ScriptModule> copy_on_cpu() const;

  // The output, or the first of several. Throws Error(usage) when that is no tensor.
  [[nodiscard]] at::Tensor forward(const std::vector<at::Tensor>& inputs, bool training);

 private:
  struct Code;  // keeps LibTorch's heavy header out of here
  explicit ScriptModule(std::unique_ptr<Code> code);

  std::unique_ptr<Code> code_;
};

}  // namespace mpsbench::nn
