// A package: a network compiled by AOTInductor for one case. It is native code, which is loaded into this
// process.
#pragma once

#include <ATen/core/Tensor.h>

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

}  // namespace mpsbench::nn
