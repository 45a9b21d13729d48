// Reports of a newer version, as compare reads them.
#include "base/json_file.hpp"
#include "base/unknown_keys.hpp"
#include "report/compare/compared_report.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>

namespace mpsbench::report {
namespace {

std::string words_of(const nlohmann::json& document) {
  const base::UnknownKeys unknown;
  (void)parse_compared_report(base::to_text(document), "a.json");
  return unknown.words("a.json");
}

TEST(NewerReport, KnowsTheKeysOfSeveralProcesses) {
  const auto file = std::filesystem::path(MPSBENCH_SOURCE_DIR) / "results/h100x2-d-graph.json";
  EXPECT_EQ(words_of(base::read_large_json_file(file.string())), "");
}

TEST(NewerReport, IsKnownByItsKeys) {
  const std::filesystem::path folder = std::filesystem::path(MPSBENCH_SOURCE_DIR) / "tests/schema/golden";
  for (const char* name : {"full.json", "bare.json"}) {
    const nlohmann::json known = base::read_large_json_file((folder / name).string());
    EXPECT_EQ(words_of(known), "") << name;
    for (const char* place : {"", "/tool", "/run", "/host", "/host/cpu", "/run/planned/0", "/cases/0",
                              "/cases/0/spec", "/cases/0/metrics", "/cases/0/metrics/step_seconds"}) {
      nlohmann::json newer = known;
      const nlohmann::json::json_pointer at(place);
      if (!newer.contains(at)) continue;
      newer[at]["future"] = {{"x", 1}};
      EXPECT_NE(words_of(newer), "") << name << place;
    }
  }
}

}  // namespace
}  // namespace mpsbench::report
