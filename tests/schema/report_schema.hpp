// Compares the JSON Schema that users get with the tables in the code.
#pragma once

#include "base/json_file.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>

namespace mpsbench::tests {

// Expects that $defs.NAME of the report's schema equals EXPECTED, which comes from a table.
inline void expect_in_report_schema(const std::string& name, const nlohmann::json& expected) {
  const auto file = std::filesystem::path(MPSBENCH_SOURCE_DIR) / "configs/schema/report.schema.json";
  const nlohmann::json schema = base::read_large_json_file(file);
  const nlohmann::json& found = schema.at("$defs").at(name);
  const nlohmann::json changes = nlohmann::json::diff(found, expected);
  EXPECT_TRUE(changes.empty()) << file << ": $defs." << name
                               << " differs from the table; apply this JSON patch:\n"
                               << changes.dump(1);
}

}  // namespace mpsbench::tests
