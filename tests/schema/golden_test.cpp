// From the first release on, schema version 1 is frozen: the reports in golden/ never change, and this
// program can read and write them.
#include "schema/report.hpp"
#include "schema/round_trip.hpp"
#include "support/scratch.hpp"

#include <filesystem>
#include <fstream>

namespace mpsbench::schema {
namespace {

using tests::json;

const std::filesystem::path kFolder = std::filesystem::path(MPSBENCH_SOURCE_DIR) / "tests/schema/golden";

Report read(const std::string& name) {
  const json document = base::read_large_json_file(kFolder / name);
  return from_json<Report>(base::Reader(document, name));
}

// Expects each value of GOLDEN in DOCUMENT, which may have more keys.
void expect_kept(const json& golden, const json& document, const std::string& file) {
  const json before = golden.flatten();
  const json after = document.flatten();
  for (const auto& [pointer, value] : before.items()) {
    ASSERT_TRUE(after.contains(pointer)) << file << ": " << pointer << " is gone";
    EXPECT_EQ(after.at(pointer), value) << file << ": " << pointer;
  }
}

TEST(Golden, WhatWasReadIsWrittenAgainByteByByte) {
  for (const char* name : {"full.json", "bare.json"}) {
    const std::string text = base::to_text(to_json(read(name)), 1) + "\n";
    if (text == tests::content(kFolder / name)) continue;
    const std::string place = ::testing::TempDir() + "golden-" + name;
    std::ofstream(place, std::ios::binary) << text;
    ADD_FAILURE() << "the report is not written as golden/" << name << " has it; see " << place
                  << " for what is written now. After the first release, a field that is removed, is renamed or "
                     "changes its meaning needs a new schema_version.";
  }
}

TEST(Golden, NothingThatAnyFileHoldsIsLost) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    const std::string name = entry.path().filename().string();
    expect_kept(base::read_large_json_file(entry.path()), tests::reparsed(to_json(read(name))), name);
    ++files;
  }
  EXPECT_GE(files, 2U);
}

}  // namespace
}  // namespace mpsbench::schema
