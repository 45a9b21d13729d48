// Networks as code in files: packages and TorchScript modules. Loading or running one executes its code in this
// process.
#pragma once

#include "nn/model.hpp"
#include "schema/network_plan.hpp"

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace mpsbench::nn {

// Takes the inputs' memory back as soon as they are no longer needed. Throws c10::Error.
using PackageFunction = std::function<std::vector<at::Tensor>(std::vector<at::Tensor> inputs)>;

// A network compiled by AOTInductor for one case, in native code.
class Package {
 public:
  // Opens FILE, checks that its SHA-256 is SHA256, and keeps it open: what is loaded later is what was
  // checked. Functions are unpacked into FOLDER, which nobody but this user may be able to write. Throws
  // Error(usage).
  Package(const std::string& file, const std::string& sha256, std::string folder);
  ~Package();
  Package(const Package&) = delete;
  Package& operator=(const Package&) = delete;

  // Returns the function NAME of the package, such as "forward". Throws Error(usage) if the package lacks it or
  // was made for another LibTorch or kind of device.
  [[nodiscard]] PackageFunction load(const std::string& name, const c10::Device& device) const;

 private:
  [[nodiscard]] std::string path() const;

  int descriptor_;
  std::string folder_;
};

// A user's package with its own weights.
class PackageModel final : public Model {
 public:
  // The package must have been made for DEVICE. Throws Error(usage) if LibTorch cannot load it.
  PackageModel(const schema::PackageFile& file, const c10::Device& device);

  // Returns the output, or the first of several outputs. Throws Error(usage) if the package was made for
  // other inputs.
  [[nodiscard]] at::Tensor forward(const std::vector<at::Tensor>& inputs) override;
  [[nodiscard]] std::unique_ptr<Model> evaluating() const override;
  // Throws Error(usage) for another device than the package's.
  [[nodiscard]] std::unique_ptr<Model> copy_without_dropout(const c10::Device& device, bool training) const override;

 private:
  PackageModel(PackageFunction function, const c10::Device& device);

  PackageFunction function_;
  c10::Device device_;
};

// A user's TorchScript module.
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
