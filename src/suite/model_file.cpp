#include "suite/model_file.hpp"

#include "base/json_file.hpp"
#include "base/sha256.hpp"
#include "schema/network_plan.hpp"

#include <nlohmann/json.hpp>

#include <cctype>
#include <filesystem>
#include <string_view>
#include <vector>

namespace mpsbench::suite {
namespace {

namespace fs = std::filesystem;

constexpr std::uintmax_t kMostBytes = std::uintmax_t{16} << 30U;
constexpr std::int64_t kUsualClasses = 1000;
constexpr std::string_view kFingerprint = ", SHA-256 ";

nlohmann::json input_of(const InputShape& shape, std::size_t number) {
  nlohmann::json input{{"name", "input" + std::to_string(number)}, {"shape", shape.sizes}};
  input["dtype"] = shape.high ? "int64" : "float32";
  if (shape.high) input["high"] = *shape.high;
  return input;
}

// Returns the model's name, which is part of every case's id: the file's name, then the shapes. Characters
// that a model's name must not contain are replaced by '_'.
std::string name_of(const std::string& file, const std::vector<InputShape>& shapes) {
  std::string name = fs::path(file).stem().string();
  for (const InputShape& shape : shapes) name += "-" + to_string(shape);
  for (char& c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if ((std::isalnum(byte) == 0 || byte >= 0x80) && c != '_' && c != '-' && c != '.') c = '_';
  }
  constexpr std::size_t kLongest = 100;
  return name.substr(0, kLongest);
}

}  // namespace

bool is_package_file(const std::string& name) {
  return name.ends_with(".pt2");
}

bool is_model_file(const std::string& name) {
  return name.ends_with(".pt") || is_package_file(name);
}

std::string model_file_source(const std::string& file) {
  return (is_package_file(file) ? "package by AOTInductor" : "TorchScript") + std::string(kFingerprint) +
         base::sha256_hex(base::read_text_file(file, kMostBytes));
}

std::string sha256_of_source(const std::string& source) {
  const std::size_t mark = source.rfind(kFingerprint);
  return mark == std::string::npos ? "" : source.substr(mark + kFingerprint.size());
}

model::Definition model_file_definition(const std::string& file, const Settings& settings) {
  const std::vector<InputShape> shapes = settings.input_shapes.value_or({});
  if (shapes.empty()) {
    throw base::usage_error(
        file + ": --input-shape is missing; add the shape of its input, as in --input-shape 3x224x224");
  }
  nlohmann::json document{
      {"name", name_of(file, shapes)},
      {"source", model_file_source(file)},
      {"parameters", {{"classes", kUsualClasses}}},
      {"inputs", nlohmann::json::array()},
      {"loss", "cross_entropy"},
      {"optimizer", {{"name", "sgd"}, {"lr", 1e-3}, {"momentum", 0.9}}},
      {"batch_size", 32},
      {"rows", 50'000},
  };
  nlohmann::json names = nlohmann::json::array();
  for (const InputShape& shape : shapes) {
    document["inputs"].push_back(input_of(shape, names.size()));
    names.push_back(document["inputs"].back()["name"]);
  }
  const char* type = is_package_file(file) ? schema::kPackageLayer : schema::kScriptLayer;
  document["layers"] = {{{"type", type}, {"inputs", names}, {"outputs", "$classes"}}};
  return model::read_definition(std::move(document), file);
}

}  // namespace mpsbench::suite
