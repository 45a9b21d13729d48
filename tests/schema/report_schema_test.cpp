// configs/schema/report.schema.json is what the tables say. With MPSBENCH_WRITE_SCHEMA set, the test writes
// it.
#include "base/atomic_file.hpp"
#include "base/json_file.hpp"
#include "schema/report.hpp"
#include "support/scratch.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

namespace mpsbench::schema {
namespace {

TEST(ReportSchema, IsWhatTheTablesSay) {
  const auto file = std::filesystem::path(MPSBENCH_SOURCE_DIR) / "configs/schema/report.schema.json";
  const std::string text = base::to_text(report_json_schema(), 1) + "\n";
  if (std::getenv("MPSBENCH_WRITE_SCHEMA") != nullptr) base::write_file(file, text);
  EXPECT_TRUE(text == tests::content(file)) << file << " is stale; write it with MPSBENCH_WRITE_SCHEMA=1 and this test";
}

}  // namespace
}  // namespace mpsbench::schema
