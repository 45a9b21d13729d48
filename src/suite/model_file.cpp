#include "suite/model_file.hpp"

#include "base/error.hpp"
#include "base/hex.hpp"
#include "base/machine_code.hpp"
#include "base/mapped_file.hpp"
#include "base/utf8.hpp"
#include "schema/network_plan.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>

namespace mpsbench::suite {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMostLevels = 128;
constexpr std::size_t kHashDigits = 8;

std::string hash_of(std::string_view text) {
  return "-" + base::sha256_hex(text).substr(0, kHashDigits);
}

// Returns a name of PATH. Each LEVEL tells more of it: its ending, then one more folder above it, and at last a part of
// its SHA-256.
std::string name_of(const fs::path& path, std::size_t level) {
  const bool is_whole = level % 2 == 1 || !is_model_file(path.string());
  std::string name = (is_whole ? path.filename() : path.stem()).string();
  if (level > kMostLevels)
    return safe_name(name, model::kMostNameCharacters - kHashDigits - 1) + hash_of(path.string());
  fs::path folder = path.parent_path();
  for (std::size_t i = 0; i < level / 2 && folder.has_relative_path(); ++i, folder = folder.parent_path())
    name = folder.filename().string() + "." + name;
  return safe_name(name, model::kMostNameCharacters);
}

// Names of the files in an archive, which are not compressed.
constexpr std::string_view kZip = "PK\x03\x04";
constexpr std::string_view kScriptMark = "/constants.pkl";
constexpr std::string_view kPackageMark = "/data/aotinductor/";
constexpr std::string_view kExportedMark = "/models/model.json";

constexpr std::int64_t kUsualClasses = 1000;
constexpr std::string_view kFingerprint = ", SHA-256 ";

bool has_ending(const std::string& name, const std::vector<std::string>& endings) {
  const std::size_t dot = std::min(name.rfind('.'), name.size());
  std::string ending = name.substr(dot);
  for (char& c : ending) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return std::ranges::count(endings, ending) > 0;
}

// Returns what is wrong with the content of a package, or "".
std::string fault_of_package(std::string_view bytes) {
  if (bytes.find(kScriptMark) != std::string_view::npos)
    return "a TorchScript file, not a package; give its name the ending .pt";
  const std::string platform = base::code_platform(bytes);
  if (!platform.empty() && platform != base::own_platform())
    return "this package was built for " + platform + ", but this is " + base::own_platform() +
           "; compile it on a machine like this one";
  if (bytes.starts_with(kZip) && bytes.find(kExportedMark) != std::string_view::npos && platform.empty())
    return "an exported program without native code; compile it with torch._inductor.aoti_compile_and_package(program, "
           "package_path='FILE.pt2')";
  return "";
}

// Returns what is wrong with the content of a TorchScript file, or "".
std::string fault_of_script(std::string_view bytes) {
  const bool is_zip = bytes.starts_with(kZip);
  if (is_zip && bytes.find(kPackageMark) != std::string_view::npos)
    return "a package by AOTInductor, not a TorchScript file; give its name the ending .pt2";
  if (is_zip && bytes.find(kExportedMark) != std::string_view::npos)
    return "an exported program, not a TorchScript file; save torch.jit.script(net) or torch.jit.trace(net, example) "
           "instead";
  if ((is_zip && bytes.find(kScriptMark) == std::string_view::npos) || bytes.starts_with("\x80\x02"))
    return "not a TorchScript file, but what torch.save writes (a state dict or a pickled module), which has no "
           "network that runs without Python; in Python, load it into its network and save torch.jit.script(net), or, "
           "for a network that mpsbench has, write its state dict with safetensors.torch.save_file and use --weights";
  return "";
}

// Throws Error(usage) if FILE is known to be something else than its ending says. What it is good for shows
// when the worker loads it.
void require_kind(const std::string& file) {
  const base::MappedFile mapped(file);
  const std::string_view bytes = mapped.text();
  std::string fault = is_package_file(file) ? fault_of_package(bytes) : fault_of_script(bytes);
  if (base::is_lfs_pointer(bytes)) fault = base::kLfsPointer;
  if (!fault.empty()) throw base::usage_error(file + ": " + fault);
}

nlohmann::json input_of(const InputShape& shape, std::size_t number) {
  nlohmann::json input{{"name", "input" + std::to_string(number)}, {"shape", shape.sizes}};
  input["dtype"] = shape.high ? "int64" : "float32";
  if (shape.high) input["high"] = *shape.high;
  return input;
}

// Returns the model's name, which is part of every case's id: the file's name, then the shapes.
std::string name_of(const std::string& file, const std::vector<InputShape>& shapes) {
  constexpr std::size_t kMostOfShapes = 60;
  std::string sizes;
  for (const InputShape& shape : shapes) sizes += "-" + to_string(shape);
  sizes = safe_name(sizes, kMostOfShapes);
  return safe_name(file, model::kMostNameCharacters - sizes.size()) + sizes;
}

}  // namespace

std::string safe_name(std::string_view text, std::size_t most) {
  std::string name;
  std::size_t cut = 0;  // bytes of the name that stay before a hash
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); ++count) {
    const base::CodePoint next = base::first_code_point(text.substr(at));
    if (next.valid && model::is_name_character(next.value)) {
      name += text.substr(at, next.bytes);
    } else {
      name += '_';
    }
    at += next.bytes;
    if (count + 1 + kHashDigits + 1 <= most) cut = name.size();
  }
  if (count <= most) return name.empty() ? "_" : name;
  return name.substr(0, cut) + hash_of(text);
}

std::map<std::string, std::string> file_names(const std::vector<std::string>& files) {
  std::map<std::string, fs::path> paths;
  for (const std::string& file : files) paths[file] = fs::absolute(file).lexically_normal();
  std::map<fs::path, std::size_t> levels;
  for (const auto& [file, path] : paths) levels[path] = 0;
  std::map<fs::path, std::string> chosen;
  for (std::size_t round = 0; round <= kMostLevels + 1; ++round) {
    std::map<std::string, std::vector<fs::path>> sharing;
    for (const auto& [path, level] : levels) sharing[chosen[path] = name_of(path, level)].push_back(path);
    if (sharing.size() == levels.size()) break;
    for (const auto& [name, some] : sharing) {
      for (const fs::path& path : some) levels[path] += some.size() > 1 ? 1 : 0;
    }
  }
  std::map<std::string, std::string> names;
  for (const auto& [file, path] : paths) names[file] = chosen.at(path);
  return names;
}

std::string name_in_ids(const Settings& settings, const std::string& file) {
  const auto found = settings.file_names.find(file);
  return found != settings.file_names.end() ? found->second : file_names({file}).at(file);
}

bool is_package_file(const std::string& name) {
  return has_ending(name, {".pt2"});
}

bool is_model_file(const std::string& name) {
  return has_ending(name, {".pt", ".pth", ".torchscript", ".jit", ".pt2"});
}

std::string model_file_source(const std::string& file) {
  return (is_package_file(file) ? "package by AOTInductor" : "TorchScript") + std::string(kFingerprint) +
         base::sha256_hex(base::MappedFile(file).text());
}

std::string sha256_of_source(const std::string& source) {
  const std::size_t mark = source.rfind(kFingerprint);
  return mark == std::string::npos ? "" : source.substr(mark + kFingerprint.size());
}

model::Definition model_file_definition(const std::string& file, const Settings& settings) {
  const std::vector<InputShape> shapes = settings.input_shapes.value_or({});
  if (shapes.empty()) {
    throw base::usage_error(file +
                            ": --input-shape is missing; add the shape of its input, as in --input-shape 3x224x224");
  }
  require_kind(file);
  nlohmann::json document{
      {"name", name_of(name_in_ids(settings, file), shapes)},
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
