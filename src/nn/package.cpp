#include "nn/package.hpp"

#include "base/error.hpp"
#include "base/hex.hpp"
#include "base/machine_code.hpp"
#include "base/mapped_file.hpp"

#include <c10/util/Exception.h>
#include <fcntl.h>
#include <torch/csrc/inductor/aoti_package/model_package_loader.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <utility>

namespace mpsbench::nn {

namespace {

void require_made_for(const c10::Device& device, const std::string& kind) {
  const std::string here = c10::DeviceTypeName(device.type(), /*lower_case=*/true);
  if (kind == here) return;
  throw base::usage_error("the package was made for " + kind + ", but the step runs on " + here);
}

std::unique_ptr<Package::Function> load(const schema::PackageFile& file, const c10::Device& device) {
  // A package reads beyond inputs that are too small, unless its code is told to check them.
  ::setenv("AOTI_RUNTIME_CHECK_INPUTS", "1", 1);
  const Package package(file.path, file.sha256, file.folder);
  try {
    return package.load("model", device);
  } catch (const base::Error& error) {
    throw base::usage_error(file.path + ": " + error.what() +
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

// A graph can only be captured from a function that runs on one thread: others record events.
struct Package::Function::Loader {
  Loader(const std::string& package, const std::string& name, const c10::Device& device)
      : functions(package, name, /*run_single_threaded=*/true, /*num_runners=*/1, device.index()) {}

  torch::inductor::AOTIModelPackageLoader functions;
};

Package::Package(const std::string& file, const std::string& sha256, std::string folder)
    : descriptor_(::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)), folder_(std::move(folder)) {
  if (descriptor_ < 0) throw base::usage_error(file + ": cannot be opened");
  if (base::sha256_hex(base::MappedFile(path()).text()) == sha256) return;
  ::close(descriptor_);
  throw base::usage_error(file + ": this package is damaged or was changed: its SHA-256 is another one now; run again");
}

Package::~Package() {
  ::close(descriptor_);
}

// Names the open file, whatever stands under its name now.
std::string Package::path() const {
  return "/dev/fd/" + std::to_string(descriptor_);
}

std::unique_ptr<Package::Function> Package::load(const std::string& name, const c10::Device& device) const {
  // The loader unpacks to a new folder in TMPDIR. Before LibTorch 2.13 that is always /tmp; its mode is 0700.
  ::setenv("TMPDIR", folder_.c_str(), 1);
  try {
    auto loader = std::make_unique<Function::Loader>(path(), name, device);
    require_made_for(device, loader->functions.get_metadata()["AOTI_DEVICE_KEY"]);
    return std::unique_ptr<Function>(new Function(std::move(loader)));
  } catch (const base::Error&) {
    throw;
  } catch (const std::exception& error) {
    const std::string words = error.what();
    const std::string platform = base::code_platform(base::MappedFile(this->path()).text());
    if (!platform.empty() && platform != base::own_platform())
      throw base::usage_error("the package was built for " + platform + ", but this is " + base::own_platform());
    const bool is_forbidden = words.find("failed to map segment") != std::string::npos;
    throw base::usage_error("the package's function " + name +
                            " cannot be loaded: " + words.substr(0, words.find('\n')) +
                            (is_forbidden ? "; the file system of " + folder_ +
                                                " forbids running code, so set XDG_CACHE_HOME to a folder of "
                                                "another one"
                                          : ""));
  }
}

Package::Function::Function(std::unique_ptr<Loader> loader) : loader_(std::move(loader)) {}
Package::Function::~Function() = default;

std::vector<at::Tensor> Package::Function::operator()(std::vector<at::Tensor> inputs) {
  try {
    return loader_->functions.boxed_run(std::move(inputs));
  } catch (const c10::Error&) {
    throw;
  } catch (const std::exception& error) {  // how errors get out of a package's code
    const std::string words = error.what();
    TORCH_CHECK(false, words.substr(0, words.find('\n')));
  }
}

PackageModel::PackageModel(const schema::PackageFile& file, const c10::Device& device)
    : PackageModel(load(file, device), device) {}

PackageModel::PackageModel(std::shared_ptr<Package::Function> function, const c10::Device& device)
    : Model(Parameters(), /*training=*/false), function_(std::move(function)), device_(device) {}

std::unique_ptr<Model> PackageModel::evaluating() const {
  return std::unique_ptr<Model>(new PackageModel(function_, device_));
}

std::unique_ptr<Model> PackageModel::copy_without_dropout(const c10::Device& device, bool /*training*/) const {
  if (device != device_)
    throw base::usage_error("the output was not compared: a package for " + device_.str() + " cannot run on " +
                            device.str());
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
