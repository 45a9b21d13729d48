#include "run/countable.hpp"

#include "support/errors.hpp"
#include "support/sample_run.hpp"

namespace mpsbench::run {
namespace {

using schema::Mode;

TEST(RequireCountable, RefusesMoreThanAMillionLaunches) {
  const schema::CaseSpec spec = tests::sample_spec("mlp", Mode::train, 2);
  schema::RunRecord record = tests::sample_run({spec, spec}, 500'000);
  require_countable(record);
  ++record.run.planned[1].repeats;
  EXPECT_TRUE(
      tests::contains(tests::usage_error_of([&] { require_countable(record); }), "more than a million"));
  record.run.planned[1].repeats = 9223372036854775807;
  EXPECT_TRUE(
      tests::contains(tests::usage_error_of([&] { require_countable(record); }), "more than a million"));
}

}  // namespace
}  // namespace mpsbench::run
