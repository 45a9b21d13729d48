#include "suite/catalog.hpp"

#include "base/error.hpp"
#include "base/json_file.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <system_error>
#include <utility>

namespace mpsbench::suite {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> names_in(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  }
  if (error) {
    throw base::usage_error("the program's own files are missing: " + folder.string() + ": " +
                            error.message());
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool is_path(const std::string& name) {
  return name.ends_with(".json") || name.ends_with(".JSON") || name.find('/') != std::string::npos;
}

// Throws Error(usage) if NAME is a file in a format that mpsbench does not run.
void require_definition(const std::string& name) {
  std::error_code error;
  if (!fs::is_regular_file(name, error)) return;
  for (const char* ending : {".safetensors", ".bin", ".ckpt", ".gguf"}) {
    if (name.ends_with(ending))
      throw base::usage_error(
          name + ": these are weights, not a network; write --model NAME --weights FILE.safetensors");
  }
  for (const char* ending : {".onnx", ".h5", ".keras", ".tflite", ".mlmodel", ".pb", ".engine"}) {
    if (name.ends_with(ending))
      throw base::usage_error(name +
                              ": mpsbench takes definitions (.json), TorchScript files (.pt, .pth, "
                              ".torchscript) and packages by AOTInductor (.pt2)");
  }
}

bool is_one_of(const std::string& name, const std::vector<std::string>& sorted) {
  return std::binary_search(sorted.begin(), sorted.end(), name);
}

}  // namespace

Catalog::Catalog(fs::path folder) : folder_(std::move(folder)) {}

std::vector<std::string> Catalog::model_names() const {
  return names_in(folder_ / "models");
}
std::vector<std::string> Catalog::suite_names() const {
  return names_in(folder_ / "configs");
}

fs::path Catalog::locate(const std::string& kind, const std::string& folder, const std::string& name) const {
  const std::vector<std::string> names = names_in(folder_ / folder);
  if (is_path(name)) {
    std::error_code error;
    if (fs::exists(name, error) || error) return name;  // opening it says what is wrong
    const std::string stem = name.substr(0, name.rfind(".json"));
    throw base::usage_error(name + ": no such file; " +
                            (is_one_of(stem, names)
                                 ? "mpsbench's own " + kind + " has a name without .json: " + stem
                                 : "check its path, or see `mpsbench list " + kind + "s`"));
  }
  if (!is_one_of(name, names)) {
    const std::string lead = "unknown " + kind + " '" + name + "'";
    if (kind == "suite" && is_one_of(name, model_names()))
      throw base::usage_error(lead + ", but a model has this name; write --model " + name);
    if (kind == "model" && is_one_of(name, suite_names()))
      throw base::usage_error(lead + ", but a suite has this name; write mpsbench run " + name);
    throw base::usage_error(lead + base::did_you_mean(name, names) + "; see `mpsbench list " + kind +
                            "s`, or name a file that ends in .json");
  }
  return folder_ / folder / (name + ".json");
}

model::Definition Catalog::load_model(const std::string& name) const {
  require_definition(name);
  const fs::path path = locate("model", "models", name);
  return model::read_definition(base::read_json_file(path), path.string());
}

Suite Catalog::load_suite(const std::string& name) const {
  const fs::path path = locate("suite", "configs", name);
  return read_suite(base::read_json_file(path), path.string());
}

}  // namespace mpsbench::suite
