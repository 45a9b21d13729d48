#include "nn/package_model.hpp"

#include "base/error.hpp"

#include <c10/util/Exception.h>

#include <cstdlib>
#include <string>
#include <utility>

namespace mpsbench::nn {
namespace {

std::unique_ptr<Package::Function> load(const schema::PackageFile& file, const c10::Device& device) {
  // A package reads beyond inputs that are too small, unless its code is told to check them.
  ::setenv("AOTI_RUNTIME_CHECK_INPUTS", "1", 1);
  const Package package(file.path, file.sha256, file.folder);
  try {
    return package.load("model", device);
  } catch (const base::Error& error) {
    throw base::usage_error(
        file.path + ": " + error.what() +
        "; make it with torch._inductor.aoti_compile_and_package, this LibTorch's version "
        "of torch, and the model on this device");
  }
}

// Whether WORDS are LibTorch's about inputs that a package was not made for. Before 2.13, all errors in a
// package have the last ones.
bool says_other_inputs(const std::string& words) {
  for (const char* mark : {"input_handles[", "expected inputs vector size", "API call failed"}) {
    if (words.find(mark) != std::string::npos) return true;
  }
  return false;
}

}  // namespace

PackageModel::PackageModel(const schema::PackageFile& file, const c10::Device& device)
    : PackageModel(load(file, device), device) {}

PackageModel::PackageModel(std::shared_ptr<Package::Function> function, const c10::Device& device)
    : Model(Parameters(), /*training=*/false), function_(std::move(function)), device_(device) {}

std::unique_ptr<Model> PackageModel::evaluating() const {
  return std::unique_ptr<Model>(new PackageModel(function_, device_));
}

std::unique_ptr<Model> PackageModel::copy_without_dropout(const c10::Device& device,
                                                          bool /*training*/) const {
  if (device != device_)
    throw base::usage_error("the output was not compared: a package for " + device_.str() +
                            " cannot run on " + device.str());
  return evaluating();
}

at::Tensor PackageModel::forward(const std::vector<at::Tensor>& inputs) {
  std::vector<at::Tensor> outputs;
  try {
    outputs = (*function_)(inputs);
  } catch (const c10::Error& error) {
    const std::string words = error.what_without_backtrace();
    if (!says_other_inputs(words)) throw;
    throw base::usage_error("the package cannot run this batch (" + words +
                            "); use the --batch-size and --input-shape that it was made for. Name an upper "
                            "bound for whole numbers only, as in --input-shape 128:30522");
  }
  if (outputs.empty()) throw base::usage_error("the package returns nothing; it must return a tensor");
  return outputs.front();
}

}  // namespace mpsbench::nn
