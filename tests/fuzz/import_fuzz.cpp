// Fuzzes files of llama-bench: what is imported must be a report that can be read.
#include "base/json_file.hpp"
#include "fuzz/harness.hpp"
#include "run/import/llama_bench.hpp"

#include <nlohmann/json.hpp>

using namespace mpsbench;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string text;
  fuzz::try_to(
      [&] { text = base::to_text(schema::to_json(run::import_llama_bench(fuzz::text_of(data, size), "a.json", {}))); });
  if (!text.empty()) (void)schema::from_json<schema::Report>(base::Reader(base::parse_json(text, "b.json"), "b.json"));
  return 0;
}
