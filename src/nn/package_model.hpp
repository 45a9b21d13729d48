// A user's package with its own weights. Loading it executes the code in its file.
#pragma once

#include "nn/model.hpp"
#include "nn/package.hpp"
#include "schema/package_file.hpp"

#include <c10/core/Device.h>

#include <memory>
#include <vector>

namespace mpsbench::nn {

class PackageModel final : public Model {
 public:
  // The package must have been made for DEVICE. Throws Error(usage) if LibTorch cannot load it.
  PackageModel(const schema::PackageFile& file, const c10::Device& device);

  // Returns the output, or the first of several outputs. Throws Error(usage) if the package was made for
  // other inputs.
  [[nodiscard]] at::Tensor forward(const std::vector<at::Tensor>& inputs) override;
  [[nodiscard]] std::unique_ptr<Model> evaluating() const override;
  // Throws Error(usage) for another device than the package's.
  [[nodiscard]] std::unique_ptr<Model> copy_without_dropout(const c10::Device& device,
                                                            bool training) const override;

 private:
  PackageModel(std::shared_ptr<Package::Function> function, const c10::Device& device);

  std::shared_ptr<Package::Function> function_;
  c10::Device device_;
};

}  // namespace mpsbench::nn
