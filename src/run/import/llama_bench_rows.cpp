#include "run/import/llama_bench_rows.hpp"

#include "base/error.hpp"
#include "base/json_file.hpp"
#include "base/json_reader.hpp"
#include "base/units.hpp"
#include "base/utf8.hpp"

#include <algorithm>
#include <iterator>

namespace mpsbench::run {
namespace {

constexpr const char* kCure = "; write it with llama-bench -o json or -o jsonl";
constexpr std::int64_t kMostTokens = 1'000'000'000;
constexpr std::size_t kMostRows = 1000;

// What differs between the rows of one setting.
constexpr std::string_view kOfOneTest[] = {"n_prompt", "n_gen",     "n_depth", "test_time",
                                           "avg_ns",   "stddev_ns", "avg_ts",  "stddev_ts"};

struct Backend {
  std::string_view name;
  schema::DeviceKind device;
};

constexpr Backend kBackends[] = {{"CPU", schema::DeviceKind::cpu},    {"BLAS", schema::DeviceKind::cpu},
                                 {"ZenDNN", schema::DeviceKind::cpu}, {"Metal", schema::DeviceKind::mps},
                                 {"MTL", schema::DeviceKind::mps},    {"CUDA", schema::DeviceKind::cuda}};

nlohmann::json parsed(std::string_view text, const std::string& name) {
  try {
    return base::parse_json(text, name);
  } catch (const base::Error& error) {
    throw base::usage_error(std::string(error.what()) + kCure);
  }
}

// An array, one object, or one a line.
nlohmann::json document_of(std::string_view text, const std::string& file) {
  const auto begin = std::ranges::find_if_not(text, base::is_blank);
  if (begin == text.end() || (*begin != '[' && *begin != '{'))
    throw base::usage_error(file + ": this is not llama-bench's JSON" + kCure);
  if (*begin == '[') return parsed(text, file);
  if (nlohmann::json::accept(text)) return nlohmann::json::array({parsed(text, file)});
  nlohmann::json rows = nlohmann::json::array();
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (!std::ranges::all_of(line, base::is_blank))
      rows.push_back(parsed(line, file + ": line " + std::to_string(number)));
  }
  return rows;
}

// Layers that are not on the GPU are told by n_gpu_layers.
schema::DeviceId device_of(base::Reader& row) {
  const base::Reader backends = row.at("backends");
  const std::string names = backends.string();
  schema::DeviceKind device = schema::DeviceKind::cpu;
  for (const std::string& name : base::split_list(names).value_or(std::vector{names})) {
    const auto* const known = std::ranges::find(kBackends, name, &Backend::name);
    if (known == std::end(kBackends))
      throw backends.error("mpsbench has no device for the backend " + base::excerpt(name) +
                           "; take a llama-bench for the CPU, Metal or CUDA");
    device = std::max(device, known->device);
  }
  const auto layers = row.find("n_gpu_layers");
  return schema::DeviceId(layers && layers->value() == 0 ? schema::DeviceKind::cpu : device);
}

nlohmann::json settings_of(const nlohmann::json& row) {
  nlohmann::json settings = nlohmann::json::object();
  for (const auto& [key, value] : row.items()) {
    if (value.is_primitive() && std::ranges::find(kOfOneTest, key) == std::end(kOfOneTest)) settings[key] = value;
  }
  std::string& model = settings.at("model_filename").get_ref<std::string&>();
  model.erase(0, model.find_last_of("/\\") + 1);  // its folder may have a user's name
  return settings;
}

LlamaBenchRow row_of(base::Reader reader, std::size_t number) {
  if (!reader.is_object() || !reader.has("samples_ns"))
    throw reader.error(std::string("this is no row of llama-bench, which has the key 'samples_ns'") + kCure);
  const auto count = [&](const char* key) {
    const auto found = reader.find(key);
    return found ? std::optional(found->integer(0)) : std::nullopt;
  };
  LlamaBenchRow row{.number = number};
  row.prompt = reader.at("n_prompt").integer(0, kMostTokens);
  row.generate = reader.at("n_gen").integer(0, kMostTokens);
  if (const auto depth = reader.find("n_depth")) row.depth = depth->integer(0, kMostTokens);  // not before May 2025
  for (const std::int64_t nanoseconds : reader.at("samples_ns").integers(1))
    row.seconds.push_back(static_cast<double>(nanoseconds) / base::kNanosecondsPerSecond);
  if (row.seconds.empty()) throw reader.at("samples_ns").error("expected at least one repetition");
  row.time = reader.at("test_time").string();
  row.device = device_of(reader);
  row.threads = reader.at("n_threads").integer(1);
  row.parameters = count("model_n_params");
  row.weight_bytes = count("model_size");
  (void)reader.at("model_filename").string();
  row.settings = settings_of(reader.value());
  return row;
}

}  // namespace

std::string LlamaBenchRow::text(std::string_view key) const {
  const auto found = settings.find(key);
  if (found == settings.end()) return "";
  return found->is_string() ? found->get<std::string>() : found->dump();
}

std::vector<LlamaBenchRow> llama_bench_rows(std::string_view text, const std::string& file) {
  const nlohmann::json document = document_of(text, file);
  if (document.size() > kMostRows)
    throw base::usage_error(file + ": $: has more than 1,000 rows; import a part of them");
  std::vector<LlamaBenchRow> rows;
  for (const base::Reader& reader : base::Reader(document, file).items()) {
    const LlamaBenchRow& row = rows.emplace_back(row_of(reader, rows.size() + 1));
    for (const char* key : {"cpu_info", "gpu_info"}) {
      if (row.text(key) != rows.front().text(key))
        throw reader.error(std::string(key) +
                           " is not that of the first row; import each machine's rows from a file "
                           "of their own");
    }
  }
  return rows;
}

}  // namespace mpsbench::run
