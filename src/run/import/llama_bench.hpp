// Reads what llama.cpp's llama-bench prints, to show it beside one's own cases of the mode generate.
#pragma once

#include "schema/engine.hpp"
#include "schema/report.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace mpsbench::run {

// The parts of a case's id that llama-bench does not know.
struct ImportedAs {
  std::string model{};                              // empty: the name of llama-bench's model file
  std::optional<schema::Precision> precision = {};  // null: the one next to the type of the weights
};

// Returns the rows of TEXT, which llama-bench printed with -o json or -o jsonl, as a report of published cases. FILE is
// its name in messages. `tgN @ dD` becomes the step of the case with --generate N whose depth + prompt are D, and
// `ppN @ dD` the first token of the case with --prompt N --depth D; both are one case if they fit. Other rows are left
// out with a warning. Throws Error(usage), which names the row and the key.
[[nodiscard]] schema::Report import_llama_bench(std::string_view text, const std::string& file, const ImportedAs& as);

}  // namespace mpsbench::run
