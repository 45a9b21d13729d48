#include "nn/model_files.hpp"

#include "base/error.hpp"
#include "base/hex.hpp"
#include "base/machine_code.hpp"
#include "base/mapped_file.hpp"

#include <c10/util/Exception.h>
#include <fcntl.h>
#include <torch/csrc/inductor/aoti_package/model_package_loader.h>
#include <torch/csrc/jit/ir/constants.h>
#include <torch/csrc/jit/ir/ir.h>
#include <torch/script.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <initializer_list>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace mpsbench::nn {

struct ScriptModel::Code {
  torch::jit::Module module;
  std::optional<bool> training;  // the mode that the module was last set to, by any model that shares it
};

namespace {

bool says_one_of(const std::string& words, std::initializer_list<const char*> marks) {
  return std::ranges::any_of(marks, [&](const char* mark) { return words.find(mark) != std::string::npos; });
}

void require_made_for(const c10::Device& device, const std::string& kind) {
  const std::string here = c10::DeviceTypeName(device.type(), /*lower_case=*/true);
  if (kind == here) return;
  throw base::usage_error("the package was made for " + kind + ", but the step runs on " + here);
}

PackageFunction load(const schema::PackageFile& file, const c10::Device& device) {
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

std::vector<at::Tensor> run(torch::inductor::AOTIModelPackageLoader& functions, std::vector<at::Tensor> inputs) {
  try {
    return functions.boxed_run(std::move(inputs));
  } catch (const c10::Error&) {
    throw;
  } catch (const std::exception& error) {  // how errors get out of a package's code
    TORCH_CHECK(false, base::first_line(error.what()));
  }
}

// Returns the first line of WORDS that says something, without addresses in memory.
std::string first_words(const std::string& words) {
  const std::size_t begin = std::min(words.find_first_not_of(" \n"), words.size());
  std::string line = words.substr(begin, words.find('\n', begin) - begin);
  const std::size_t unit = line.find(" (of Python compilation unit at");
  if (unit != std::string::npos) line.erase(unit, line.find(')', unit) + 1 - unit);
  return line;
}

[[noreturn]] void refuse(const std::string& file, const std::string& error) {
  const bool is_unreadable = error.find("PytorchStreamReader") != std::string::npos;
  const std::string words = is_unreadable ? "it is another kind of file, or damaged" : first_words(error);
  const bool lacks_operator = words.starts_with("Unknown builtin op");
  throw base::usage_error(file + ": not a TorchScript module that this LibTorch can load (" + words + ")" +
                          (lacks_operator
                               ? "; operators of other libraries, such as torchvision's, are not there: save a network "
                                 "without this one"
                               : "; save it with torch.jit.script or torch.jit.trace"));
}

torch::jit::Module load(const std::string& file) {
  try {
    return torch::jit::load(file, c10::Device(c10::kCPU));
  } catch (const c10::Error& error) {
    refuse(file, error.what_without_backtrace());
  } catch (const std::exception& error) {  // of the compiler of the file's code
    refuse(file, error.what());
  }
}

// If a tensor cannot be moved, the device is to blame (MPS has no float64), not the file.
torch::jit::Module load(const std::string& file, const c10::Device& device) {
  torch::jit::Module module = load(file);
  if (!device.is_cpu()) module.to(device);
  return module;
}

// The interpreter puts an error's message, which begins with the exception's name, below a traceback of the
// script, whose lines are indented. Returns the message in one line; a Python exception keeps its name.
std::string cause_of(const std::string& words) {
  constexpr std::string_view kMark = "<--- HERE\n";
  std::size_t at = words.rfind(kMark);
  if (at == std::string::npos) return words;
  for (at += kMark.size(); at < words.size() && words[at] == ' ';)
    at = std::min(words.find('\n', at), words.size() - 1) + 1;
  std::string cause = words.substr(at);
  for (const std::string_view name : {"RuntimeError: ", "builtins."}) {
    if (cause.starts_with(name)) cause.erase(0, name.size());
  }
  while (cause.ends_with('\n')) cause.pop_back();
  return cause.empty() ? words : cause;
}

Parameters parameters_of(const torch::jit::Module& module) {
  std::vector<NamedTensor> all;
  for (const auto& parameter : module.named_parameters())
    all.push_back({parameter.name, parameter.value, parameter.value.requires_grad()});
  for (const auto& buffer : module.named_buffers()) all.push_back({buffer.name, buffer.value, false});
  return Parameters(std::move(all));
}

// Returns what in the code of BLOCK is not on DEVICE: a constant, or a tensor that an operation makes there
// because its device is written into the code. Empty if there is none. Operations take a number (a tensor
// without dimensions) from any device.
std::string constant_elsewhere(const torch::jit::Block& block, const c10::Device& device) {
  for (const torch::jit::Node* node : block.nodes()) {
    if (node->kind() == c10::prim::Constant) {
      const auto value = torch::jit::toIValue(node->output());
      if (value && value->isDevice() && value->toDevice().type() != device.type() && node->hasUses())
        return "tensor of '" + std::string(node->output()->uses().front().user->kind().toQualString()) +
               "' is made on " + value->toDevice().str();
      if (value && value->isTensor() && value->toTensor().dim() > 0 && value->toTensor().device() != device)
        return "constant '" + node->output()->debugName() + "' is on " + value->toTensor().device().str();
    }
    for (const torch::jit::Block* inner : node->blocks()) {
      if (std::string found = constant_elsewhere(*inner, device); !found.empty()) return found;
    }
  }
  return "";
}

// LibTorch moves a module's parameters and buffers, but not the constants of its code, which torch.jit.trace
// makes of tensors. Throws Error(usage) that names the first one on another device than the step's.
void require_constants_on(const torch::jit::Module& module, const c10::Device& device) {
  for (const auto& part : module.named_modules()) {
    for (const torch::jit::Method& method : part.value.get_methods()) {
      const std::string found = constant_elsewhere(*method.graph()->block(), device);
      if (found.empty()) continue;
      throw base::usage_error("the " + found + " in the TorchScript method '" +
                              (part.name.empty() ? "" : part.name + ".") + method.name() + "', but the step runs on " +
                              device.str() + "; register the tensor as a buffer, or trace the module on that device");
    }
  }
}

// Throws Error(usage) if MODULE has a parameter of another type than the inputs, which are float32.
void require_float32(const torch::jit::Module& module) {
  for (const auto& parameter : module.named_parameters()) {
    const at::ScalarType type = parameter.value.scalar_type();
    if (c10::isFloatingType(type) && type != at::kFloat)
      throw base::usage_error("the parameter '" + parameter.name + "' is " + c10::toString(type) +
                              ", but the inputs are float32; save net.float()");
  }
}

[[noreturn]] void fail_on(const torch::jit::Module& module, const std::vector<at::Tensor>& inputs,
                          const std::string& words) {
  // The last words are MPS's.
  if (says_one_of(words, {"on the same device", "on the expected device", "Placeholder storage has not been"}))
    require_constants_on(module, inputs.at(0).device());
  if (says_one_of(words, {"type"})) require_float32(module);
  if (says_one_of(words, {"missing value for argument", "expected at most"}))
    throw base::usage_error(cause_of(words) + " Name a shape for each input, as in --input-shape 3x224x224,16:100");
  if (says_one_of(words, {"Method 'forward' is not defined"}))
    throw base::usage_error("the module has no method forward, which a step calls; name it so");
  TORCH_CHECK(false, cause_of(words));  // an operation of the script failed
}

c10::IValue run(torch::jit::Module& module, const std::vector<at::Tensor>& inputs) {
  try {
    return module.forward({inputs.begin(), inputs.end()});
  } catch (const c10::Error& error) {  // the device lacks an operator
    fail_on(module, inputs, error.what_without_backtrace());
  } catch (const std::runtime_error& error) {  // the interpreter's form of LibTorch's other errors
    fail_on(module, inputs, error.what());
  }
}

}  // namespace

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

PackageFunction Package::load(const std::string& name, const c10::Device& device) const {
  // The loader unpacks to a new folder in TMPDIR. Before LibTorch 2.13 that is always /tmp; its mode is 0700.
  ::setenv("TMPDIR", folder_.c_str(), 1);
  try {
    // A graph can only be captured from a function that runs on one thread: others record events.
    auto functions = std::make_shared<torch::inductor::AOTIModelPackageLoader>(
        path(), name, /*run_single_threaded=*/true, /*num_runners=*/1, device.index());
    require_made_for(device, functions->get_metadata()["AOTI_DEVICE_KEY"]);
    return [functions](std::vector<at::Tensor> inputs) { return run(*functions, std::move(inputs)); };
  } catch (const base::Error&) {
    throw;
  } catch (const std::exception& error) {
    const std::string words = error.what();
    const std::string platform = base::code_platform(base::MappedFile(this->path()).text());
    if (!platform.empty() && platform != base::own_platform())
      throw base::usage_error("the package was built for " + platform + ", but this is " + base::own_platform());
    const bool is_forbidden = words.find("failed to map segment") != std::string::npos;
    throw base::usage_error("the package's function " + name + " cannot be loaded: " + base::first_line(words) +
                            (is_forbidden ? "; the file system of " + folder_ +
                                                " forbids running code, so set XDG_CACHE_HOME to a folder of "
                                                "another one"
                                          : ""));
  }
}

PackageModel::PackageModel(const schema::PackageFile& file, const c10::Device& device)
    : PackageModel(load(file, device), device) {}

PackageModel::PackageModel(PackageFunction function, const c10::Device& device)
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
    outputs = function_(inputs);
  } catch (const c10::Error& error) {
    const std::string words = error.what_without_backtrace();
    // About inputs that a package was not made for. Before 2.13, all errors in a package have the last words.
    if (!says_one_of(words, {"input_handles[", "expected inputs vector size", "API call failed"})) throw;
    throw base::usage_error("the package cannot run this batch (" + words +
                            "); use the --batch-size and --input-shape that it was made for. Name an upper "
                            "bound for whole numbers only, as in --input-shape 128:30522");
  }
  if (outputs.empty()) throw base::usage_error("the package returns nothing; it must return a tensor");
  return outputs.front();
}

ScriptModel::ScriptModel(const std::string& file, const c10::Device& device, bool training)
    : ScriptModel(std::make_shared<Code>(Code{load(file, device), {}}), training) {}

ScriptModel::ScriptModel(std::shared_ptr<Code> code, bool training)
    : Model(parameters_of(code->module), training), code_(std::move(code)) {}

std::unique_ptr<Model> ScriptModel::evaluating() const {
  return std::unique_ptr<Model>(new ScriptModel(code_, /*training=*/false));
}

std::unique_ptr<Model> ScriptModel::copy_without_dropout(const c10::Device& device, bool /*training*/) const {
  const at::NoGradGuard no_grad;  // otherwise the copies would be results of the originals
  auto copy = std::make_shared<Code>(Code{code_->module.deepcopy(), {}});
  copy->module.to(device);
  auto original = parameters().all().begin();  // the copy has the same parameters in the same order
  for (const auto& parameter : copy->module.named_parameters())
    at::Tensor(parameter.value).set_requires_grad((original++)->trainable);
  return std::unique_ptr<Model>(new ScriptModel(std::move(copy), /*training=*/false));
}

at::Tensor ScriptModel::forward(const std::vector<at::Tensor>& inputs) {
  if (code_->training != training()) {
    code_->module.train(training());
    code_->training = training();
  }
  const c10::IValue output = run(code_->module, inputs);
  if (output.isTensor()) return output.toTensor();
  if (output.isTuple() && !output.toTupleRef().elements().empty() && output.toTupleRef().elements()[0].isTensor()) {
    return output.toTupleRef().elements()[0].toTensor();
  }
  throw base::usage_error("the module returns " + output.tagKind() +
                          "; it must return a tensor, or a tuple that begins with one");
}

}  // namespace mpsbench::nn
