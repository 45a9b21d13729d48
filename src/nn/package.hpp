// A package: a network compiled by AOTInductor for one case. It is native code, which is loaded into this
// process.
#pragma once

#include "nn/model.hpp"
#include "schema/network_plan.hpp"

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>

#include <memory>
#include <string>
#include <vector>

namespace mpsbench::nn {

class Package {
 public:
  // Opens FILE, checks that its SHA-256 is SHA256, and keeps it open: what is loaded later is what was
  // checked. Functions are unpacked into FOLDER, which nobody but this user may be able to write. Throws
  // Error(usage).
  Package(const std::string& file, const std::string& sha256, std::string folder);
  ~Package();
  Package(const Package&) = delete;
  Package& operator=(const Package&) = delete;

  // A function of the package, such as "forward".
  class Function {
   public:
    ~Function();
    // Takes the inputs' memory back as soon as they are no longer needed. Throws c10::Error.
    [[nodiscard]] std::vector<at::Tensor> operator()(std::vector<at::Tensor> inputs);

   private:
    friend class Package;
    struct Loader;
    explicit Function(std::unique_ptr<Loader> loader);
    std::unique_ptr<Loader> loader_;
  };

  // Throws Error(usage) if the package lacks NAME or was made for another LibTorch or kind of device.
  [[nodiscard]] std::unique_ptr<Function> load(const std::string& name, const c10::Device& device) const;

 private:
  [[nodiscard]] std::string path() const;

  int descriptor_;
  std::string folder_;
};

// A user's package with its own weights. Loading it executes the code in its file.
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
  PackageModel(std::shared_ptr<Package::Function> function, const c10::Device& device);

  std::shared_ptr<Package::Function> function_;
  c10::Device device_;
};

}  // namespace mpsbench::nn
