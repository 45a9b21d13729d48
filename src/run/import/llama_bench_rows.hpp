// The rows of what llama.cpp's llama-bench prints with -o json or -o jsonl.
#pragma once

#include "schema/case_spec.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mpsbench::run {

struct LlamaBenchRow {
  std::size_t number = 0;  // from 1
  std::int64_t prompt = 0, generate = 0, depth = 0;
  std::vector<double> seconds{};  // of each repetition; at least one, above 0
  std::string time{};             // when it ran, ISO 8601 in UTC
  schema::DeviceId device{};      // cpu if no layer is on the GPU
  std::int64_t threads = 1;
  std::optional<std::int64_t> parameters{}, weight_bytes{};
  nlohmann::json settings{};  // an object: what else the row says, without the model's folder

  [[nodiscard]] bool reads() const { return prompt > 0 && generate == 0; }
  [[nodiscard]] bool continues() const { return prompt == 0 && generate >= schema::kLeastGenerated; }
  // Returns a setting, or an empty text if the row lacks it.
  [[nodiscard]] std::string text(std::string_view key) const;
};

// Reads TEXT. FILE is its name in messages. Throws Error(usage), which names the row and the key, also if the rows are
// of several machines.
[[nodiscard]] std::vector<LlamaBenchRow> llama_bench_rows(std::string_view text, const std::string& file);

}  // namespace mpsbench::run
