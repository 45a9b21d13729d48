#include "schema/report_file.hpp"

#include "schema/samples.hpp"
#include "support/errors.hpp"
#include "support/scratch.hpp"

#include <gtest/gtest.h>

namespace mpsbench::schema {
namespace {

TEST(ReportFile, NamesTheFileAndThePlaceOfAMistake) {
  const tests::Scratch folder;
  const auto file = folder.write("no-report.json", R"({"schema_version": 1})");
  EXPECT_EQ(tests::usage_error_of([&] { (void)load_report(file); }),
            file.string() + ": $: the key 'tool' is missing");
  EXPECT_TRUE(tests::contains(tests::usage_error_of([&] { (void)load_report(folder / "absent.json"); }),
                              "absent.json"));
}

TEST(ReportFile, SaysWhyAReportCannotBeWritten) {
  const tests::Scratch folder;
  EXPECT_TRUE(tests::contains(tests::error_of(base::ErrorKind::incomplete,
                                              [&] { save_report(Report{}, folder / "no-folder/mine.json"); }),
                              "no-folder"));
}

}  // namespace
}  // namespace mpsbench::schema
