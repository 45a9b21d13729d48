#include "report/compared_of.hpp"

#include "base/json_file.hpp"
#include "report/compare.hpp"
#include "support/paged.hpp"

#include <gtest/gtest.h>

namespace mpsbench::report {
namespace {

// What reading REPORT's file makes of it.
ComparedReport reread(const schema::Report& report) {
  return parse_compared_report(base::to_text(schema::to_json(report)), "file");
}

TEST(ComparedOf, IsWhatReadingTheFileGives) {
  schema::CaseResult published = tests::timed_case(16, 0.3, 0);
  published.published = schema::Published{};
  published.metrics.step_seconds.mean = 0.3;
  const schema::Report report =
      tests::paged_report({tests::timed_case(4, 0.1), tests::unmeasured_case(), published});
  const ComparedReport one = compared_of(report, "file");
  const ComparedReport other = reread(report);
  EXPECT_EQ(one.run_id, other.run_id);
  EXPECT_EQ(one.started_at, other.started_at);
  EXPECT_EQ(one.run_status, other.run_status);
  EXPECT_EQ(one.host.name, other.host.name);
  EXPECT_TRUE(one.is_published());
  ASSERT_EQ(one.cases.size(), other.cases.size());
  for (std::size_t at = 0; at < one.cases.size(); ++at) {
    EXPECT_EQ(one.cases[at].id, other.cases[at].id);
    EXPECT_EQ(one.cases[at].definition_sha256, other.cases[at].definition_sha256);
    EXPECT_EQ(one.cases[at].batch_size, other.cases[at].batch_size);
    EXPECT_EQ(one.cases[at].status, other.cases[at].status);
    EXPECT_EQ(one.cases[at].spec(), other.cases[at].spec());
    EXPECT_EQ(one.cases[at].step_seconds, other.cases[at].step_seconds);
    EXPECT_EQ(one.cases[at].flags, other.cases[at].flags);
    EXPECT_EQ(one.cases[at].launches.size(), other.cases[at].launches.size());
    EXPECT_EQ(one.cases[at].ci95.has_value(), other.cases[at].ci95.has_value());
  }
}

TEST(ComparedOf, LeavesOutTimesThatAreNone) {
  schema::CaseResult result = tests::timed_case(4, 0.1, 2);
  result.launches[0].samples_seconds = {0, 0, 0};
  result.launches.push_back(tests::bad_launch(schema::Status::crashed, "signal 11", 2));
  const ComparedReport report = compared_of(tests::paged_report({result}), "A");
  ASSERT_EQ(report.cases[0].launches.size(), 1U);
  EXPECT_EQ(report.cases[0].launches[0].index, 1);
}

}  // namespace
}  // namespace mpsbench::report
