#include "suite/script_model.hpp"

#include "base/json_file.hpp"
#include "base/sha256.hpp"
#include "base/units.hpp"
#include "model/layer_type.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>
#include <vector>

namespace mpsbench::suite {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostDimensions = 6;
constexpr std::uintmax_t kMostBytes = std::uintmax_t{16} << 30U;
constexpr std::int64_t kUsualClasses = 1000;

std::optional<std::int64_t> size_of(const std::string& text) {
  const auto size = base::parse_whole_number(text);
  return size && *size >= 1 && *size <= model::kMaxSize ? size : std::nullopt;
}

struct InputShape {
  std::vector<std::int64_t> sizes;
  std::optional<std::int64_t> high;  // int64 below this; none: float32
};

std::optional<InputShape> parse_input_shape(const std::string& text) {
  InputShape shape;
  const std::size_t colon = text.find(':');
  if (colon != std::string::npos) {
    shape.high = size_of(text.substr(colon + 1));
    if (!shape.high) return std::nullopt;
  }
  const std::string sizes = text.substr(0, colon);
  for (std::size_t begin = 0; begin <= sizes.size();) {
    const std::size_t end = std::min(sizes.find('x', begin), sizes.size());
    const auto size = size_of(sizes.substr(begin, end - begin));
    if (!size || shape.sizes.size() == kMostDimensions) return std::nullopt;
    shape.sizes.push_back(*size);
    begin = end + 1;
  }
  return shape;
}

nlohmann::json input_of(const std::string& text, std::size_t number) {
  const InputShape shape = parse_input_shape(text).value();
  nlohmann::json input{{"name", "input" + std::to_string(number)}, {"shape", shape.sizes}};
  input["dtype"] = shape.high ? "int64" : "float32";
  if (shape.high) input["high"] = *shape.high;
  return input;
}

// Part of every case's id: the file's name in letters that a model's name may have, then the shapes.
std::string name_of(const std::string& file, const std::vector<std::string>& shapes) {
  std::string name = fs::path(file).stem().string();
  for (const std::string& shape : shapes) name += "-" + shape;
  for (char& c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if ((std::isalnum(byte) == 0 || byte >= 0x80) && c != '_' && c != '-' && c != '.') c = '_';
  }
  constexpr std::size_t kLongest = 100;
  return name.substr(0, kLongest);
}

}  // namespace

bool is_script_file(const std::string& name) {
  return name.ends_with(".pt");
}

std::string check_input_shape(const std::string& text) {
  if (parse_input_shape(text)) return "";
  return "expected sizes without the batch such as 3x224x224, or 128:30522 for whole numbers below 30522, "
         "found '" +
         text + "'";
}

std::string script_source(const std::string& file) {
  return "TorchScript, SHA-256 " + base::sha256_hex(base::read_text_file(file, kMostBytes));
}

model::Definition script_definition(const std::string& file, const Settings& settings) {
  const std::vector<std::string> shapes = settings.list("input-shape", {});
  if (shapes.empty()) {
    throw base::usage_error(file + ": say what it takes by --input-shape, as in --input-shape 3x224x224");
  }
  nlohmann::json document{
      {"name", name_of(file, shapes)},
      {"source", script_source(file)},
      {"parameters", {{"classes", kUsualClasses}}},
      {"inputs", nlohmann::json::array()},
      {"loss", "cross_entropy"},
      {"optimizer", {{"name", "sgd"}, {"lr", 1e-3}, {"momentum", 0.9}}},
      {"batch_size", 32},
      {"rows", 50'000},
  };
  nlohmann::json names = nlohmann::json::array();
  for (const std::string& shape : shapes) {
    document["inputs"].push_back(input_of(shape, names.size()));
    names.push_back(document["inputs"].back()["name"]);
  }
  document["layers"] = {{{"type", schema::kScriptLayer}, {"inputs", names}, {"outputs", "$classes"}}};
  return model::read_definition(std::move(document), file);
}

}  // namespace mpsbench::suite
